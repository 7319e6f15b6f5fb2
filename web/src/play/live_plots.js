// SPDX-License-Identifier: BSD-3-Clause
import { el } from "../common/dom.js";
import { Plot } from "../common/plot.js";
import { Sync } from "../common/sync.js";
import { unitsOf } from "../report/units.js";

const most = 8; // curves of a plot

/// Two plots of the motion that is shown now, of groups that are chosen from.
export class LivePlots {
  constructor(seek) {
    this.sync = new Sync({ xs: [0], onhover: seek });
    this.slots = ["coordinates", "forces"].map((group, k) => this.slot(group, k));
    this.element = el(
      "section",
      { class: "plots", "aria-label": "Plots" },
      this.slots.map(({ host }) => host),
    );
  }

  slot(group, k) {
    const list = el("select", {
      "aria-label": `What plot ${k + 1} shows`,
      onchange: () => {
        slot.group = list.value;
        this.draw(slot);
      },
    });
    const slot = { group, list, k, plot: null, host: el("div", { class: "plot-host" }) };
    return slot;
  }

  show(data, motion) {
    this.data = data;
    this.motion = motion;
    this.sync.xs = motion.xs;
    this.sync.range = null;
    const groups = data.groups.filter(({ columns }) => columns.length > 0);
    for (const slot of this.slots) {
      const ids = groups.map(({ id }) => id);
      if (!ids.includes(slot.group)) slot.group = ids[Math.min(slot.k, ids.length - 1)];
      slot.list.replaceChildren(
        ...groups.map(({ id, title }) =>
          el("option", { value: id, selected: id === slot.group ? true : false }, title),
        ),
      );
      this.draw(slot);
    }
  }

  draw(slot) {
    const group = this.data.groups.find(({ id }) => id === slot.group);
    if (!group) return;
    const { motion } = this;
    const columns = (group.shown?.length > 0 ? group.shown : group.columns).slice(0, most);
    const options = {
      x: { ...motion.axis, values: motion.xs },
      y: { unit: unitsOf(this.data).shown(group.unit), scale: group.scale, whole: false },
      series: columns.map((column, k) => ({
        name: motion.name(column),
        values: motion.column(column),
        low: motion.low(column),
        high: motion.high(column),
        color: k,
      })),
    };
    if (!slot.plot) {
      slot.plot = new Plot(slot.host, {
        id: `live-${slot.k}`,
        title: "",
        marks: [],
        sync: this.sync,
        ...options,
      });
      slot.plot.head.replaceChildren(slot.list);
      return;
    }
    Object.assign(slot.plot.options, options);
    slot.plot.setSeries(options.series);
  }
}
