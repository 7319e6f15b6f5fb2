// SPDX-License-Identifier: BSD-3-Clause
import { before, doubles, extent, nearest } from "../common/data.js";
import { unitsOf } from "./units.js";

/// The columns of a report, read when first asked for, over an ascending abscissa `xs`.
///
/// A run backwards is turned round; where the axis does not go one way (or is not known), rows are
/// counted instead. `place(x)` = { row, share } is what `value` interpolates at: by cubics where a
/// coordinate's velocity is among the columns and fits to the rows, else by straight lines.
export class Motion {
  constructor(data) {
    this.columns = data.columns;
    this.rows = data.rows;
    this.axis = { name: data.axis.name, unit: unitsOf(data).shown(data.axis.unit) };
    this.read = { data: [], low: [], high: [] };
    this.rooms = [];
    this.turned = false;
    this.xs = this.abscissa(data.axis.column);
    this.rates = this.findRates(data.groups);
  }

  abscissa(column) {
    const xs = this.column(column);
    const goes = (way) =>
      xs.every((x, k) => Number.isFinite(x) && (k === 0 || way * (x - xs[k - 1]) >= 0));
    if (goes(1)) return xs;
    if (goes(-1)) {
      this.turned = true;
      this.read.data = [];
      return this.column(column);
    }
    this.axis = { name: "row", unit: "" };
    return Float64Array.from({ length: this.rows }, (_, k) => k);
  }

  // `read` has a list for each field: asked for in every frame, of many columns
  numbers(k, field) {
    const list = this.read[field];
    if (list[k] === undefined) {
      const text = this.columns[k][field];
      const numbers = text ? doubles(text) : null;
      list[k] = this.turned && numbers ? numbers.reverse() : numbers;
    }
    return list[k];
  }

  column(k) {
    return this.numbers(k, "data");
  }

  low(k) {
    return this.numbers(k, "low");
  }

  high(k) {
    return this.numbers(k, "high");
  }

  name(k) {
    return this.columns[k].name;
  }

  get first() {
    return this.xs[0];
  }

  get last() {
    return this.xs[this.rows - 1];
  }

  row(x) {
    return nearest(this.xs, x);
  }

  place(x) {
    const row = Math.min(before(this.xs, x), Math.max(0, this.rows - 2));
    const length = this.rows > 1 ? this.xs[row + 1] - this.xs[row] : 0;
    const share = length > 0 ? Math.min(1, Math.max(0, (x - this.xs[row]) / length)) : 0;
    return { row, share, length };
  }

  /// Places from x0 to x1: all rows between them (of very many every n-th) and, where these are
  /// few, as many in between that there are about `finest`.
  places(x0, x1, finest) {
    const [from, to] = [this.place(x0), this.place(x1)];
    const rows = to.row - from.row + 1;
    const pieces = Math.max(1, Math.ceil(finest / rows));
    const stride = Math.max(1, Math.ceil(rows / 3000));
    const places = [from];
    for (let row = from.row; row <= to.row; row += stride)
      for (let piece = 0; piece < pieces; ++piece) {
        const place = { row, share: piece / pieces, length: this.xs[row + 1] - this.xs[row] };
        if (isAfter(place, from) && isAfter(to, place)) places.push(place);
      }
    places.push(to);
    return places;
  }

  value(k, { row, share, length }) {
    const values = this.column(k);
    if (share === 0) return values[row];
    if (share === 1) return values[row + 1];
    const change = values[row + 1] - values[row];
    const straight = values[row] + share * change;
    const rate = this.rates.get(k);
    if (rate === undefined) return straight;
    const rates = this.column(rate);
    const [m0, m1] = [length * rates[row], length * rates[row + 1]];
    // in a run that goes astray velocities do not lead from row to row
    if (!(Math.abs(change - (m0 + m1) / 2) <= 0.3 * (Math.abs(m0) + Math.abs(m1)))) return straight;
    const cubic =
      straight + share * (1 - share) * ((1 - share) * (m0 - change) + share * (change - m1));
    const [low, high] = this.room(k);
    return Math.min(Math.max(cubic, low), high);
  }

  // what a column may be between rows: little more than what it is in them
  room(k) {
    if (this.rooms[k] === undefined) {
      const [low, high] = extent(this.column(k), this.low(k) ?? [], this.high(k) ?? []);
      this.rooms[k] = [low - 0.1 * (high - low), high + 0.1 * (high - low)];
    }
    return this.rooms[k];
  }

  // coordinate -> its velocity. They stand in the same order; that one is the other's rate is
  // checked in the numbers, because a model may have velocities of another kind
  findRates(groups) {
    const rates = new Map();
    const columns = (id) => groups.find((group) => group.id === id)?.columns ?? [];
    const [coordinates, velocities] = [columns("coordinates"), columns("velocities")];
    if (coordinates.length !== velocities.length || this.axis.name === "row") return rates;
    for (const [k, coordinate] of coordinates.entries()) {
      const [q, v] = [this.column(coordinate), this.column(velocities[k])];
      let moved = 0;
      let missed = 0;
      for (let row = 0; row + 1 < this.rows; ++row) {
        const change = q[row + 1] - q[row];
        moved += Math.abs(change);
        missed += Math.abs(
          change - ((this.xs[row + 1] - this.xs[row]) * (v[row] + v[row + 1])) / 2,
        );
      }
      if (missed <= 0.3 * moved) rates.set(coordinate, velocities[k]);
    }
    return rates;
  }
}

const isAfter = (a, b) => a.row > b.row || (a.row === b.row && a.share > b.share);
