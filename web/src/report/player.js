// SPDX-License-Identifier: BSD-3-Clause

/// The time that is shown, and its course. It runs through `range` (all, or the part the plots
/// show), which at speed 1 takes as long as it did in the model where that is good to watch, else
/// ten seconds. Listeners are called with what has changed: "time" or "state".
export class Player {
  constructor(motion) {
    this.motion = motion;
    this.range = [motion.first, motion.last];
    this.time = motion.first;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.listeners = [];
  }

  on(listener) {
    this.listeners.push(listener);
  }

  tell(change) {
    for (const listener of this.listeners) listener(change);
  }

  /// Model time in a second of watching.
  get rate() {
    const length = this.range[1] - this.range[0];
    const real = this.motion.axis.unit === "s" && length >= 4 && length <= 20;
    return (this.speed * length) / (real ? length : 10);
  }

  seek(x) {
    if (typeof x !== "number" || Number.isNaN(x)) return;
    this.time = Math.min(Math.max(x, this.motion.first), this.motion.last);
    this.tell("time");
  }

  step(rows) {
    this.pause();
    const row = this.motion.row(this.time) + rows;
    this.seek(this.motion.xs[Math.min(Math.max(row, 0), this.motion.rows - 1)]);
  }

  play() {
    const [start, end] = this.range;
    if (this.playing || !(end > start)) return;
    if (this.time < start || this.time >= end) this.time = start;
    this.playing = true;
    this.tell("state");
    let last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      // a page that was out of sight goes on where it was
      this.advance(Math.min((now - last) / 1000, 0.1));
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  advance(seconds) {
    const [start, end] = this.range;
    const x = this.time + Math.max(0, seconds) * this.rate;
    if (x < end) return this.seek(x);
    if (this.loop) return this.seek(start + ((x - end) % (end - start)));
    this.seek(end);
    this.pause();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell("state");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setRange(range) {
    this.range = range ?? [this.motion.first, this.motion.last];
    this.tell("state");
  }

  set(options) {
    Object.assign(this, options);
    this.tell("state");
  }
}
