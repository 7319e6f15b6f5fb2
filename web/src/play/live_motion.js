// SPDX-License-Identifier: BSD-3-Clause

/// A motion of which there is only the present: what Figure asks of one, with numbers that a run in
/// the hand gives (Motion has the others).
export class LiveMotion {
  constructor(motion) {
    this.axis = motion.axis;
    this.names = motion.columns.map(({ name }) => name);
    this.values = motion.columns.map((_, k) => motion.column(k)[0]);
    this.t = motion.first;
  }

  /// Of all columns, NaN where a number is not known.
  take(t, values) {
    this.t = t;
    values.forEach((x, k) => (this.values[k] = x ?? NaN));
  }

  get first() {
    return this.t;
  }

  place() {
    return { share: 0 };
  }

  value(k) {
    return this.values[k];
  }
}
