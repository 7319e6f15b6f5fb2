// SPDX-License-Identifier: BSD-3-Clause

const si = { length: "m", time: "s", force: "N", energy: "J" };

/// Units of a report: { length, time, force, energy } and mass, as they are written behind a number
/// (" N", or nothing where a model is not in SI); shown(unit) is a unit of SI, or "" where it does
/// not hold.
export function unitsOf({ units }) {
  const known = { ...si, ...units };
  const isSi = Object.keys(si).every((kind) => known[kind] === si[kind]);
  const behind = Object.fromEntries(
    Object.entries({ ...known, mass: isSi ? "kg" : "" }).map(([kind, unit]) => [
      kind,
      unit ? ` ${unit}` : "",
    ]),
  );
  const shown = (unit) => {
    const kind = Object.keys(si).find((one) => si[one] === unit);
    return kind === undefined ? unit : known[kind];
  };
  return { ...behind, shown };
}
