// SPDX-License-Identifier: BSD-3-Clause

const filled = 0.84; // of the canvas, by the whole motion
const first = { azimuth: -1.05, elevation: 0.35 };

/// From the model to the canvas: an orthographic view along a direction. In the plane that
/// direction is fixed (x to the right, y up); in space it turns about the upright axis z. `scale`
/// is in pixels per metre.
export class View {
  constructor(dimension, box) {
    this.dimension = dimension;
    this.box = box;
    this.width = 1;
    this.height = 1;
    this.fit();
  }

  fit() {
    Object.assign(this, first);
    this.closer = 1;
    this.centre = this.box.low.map((low, c) => (low + this.box.high[c]) / 2);
    this.turn(0, 0);
    this.resize(this.width, this.height);
  }

  // the whole motion fits as it is seen at first; turning does not change its size
  resize(width, height) {
    this.width = width;
    this.height = height;
    const size = this.box.low.map((low, c) => this.box.high[c] - low);
    const seen = (axis) => size.reduce((sum, length, c) => sum + Math.abs(axis[c]) * length, 0);
    const { right, up } = axesOf(this.dimension, first.azimuth, first.elevation);
    const room = Math.min(width / seen(right), height / seen(up));
    // what has no extent at all is shown with one of 1
    this.fitting = filled * (Number.isFinite(room) ? room : Math.min(width, height));
    this.scale = this.closer * this.fitting;
  }

  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.min(Math.max(this.elevation + elevation, -1.57), 1.57);
    Object.assign(this, axesOf(this.dimension, this.azimuth, this.elevation));
  }

  project(points, k, into) {
    const { centre, right, up, toward, scale } = this;
    const [x, y, z] = [points[k] - centre[0], points[k + 1] - centre[1], points[k + 2] - centre[2]];
    into[0] = this.width / 2 + scale * (right[0] * x + right[1] * y + right[2] * z);
    into[1] = this.height / 2 - scale * (up[0] * x + up[1] * y + up[2] * z);
    into[2] = scale * (toward[0] * x + toward[1] * y + toward[2] * z);
    return into;
  }

  pan(dx, dy) {
    for (let c = 0; c < 3; ++c)
      this.centre[c] -= (dx * this.right[c] - dy * this.up[c]) / this.scale;
  }

  /// What is at (x, y) on the canvas stays there.
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const [dx, dy] = [x - this.width / 2, y - this.height / 2];
    this.pan(-dx, -dy);
    this.closer = Math.min(Math.max(this.closer * factor, 0.05), 1e4);
    this.scale = this.closer * this.fitting;
    this.pan(dx, dy);
  }
}

function axesOf(dimension, azimuth, elevation) {
  if (dimension === 2) return { right: [1, 0, 0], up: [0, 1, 0], toward: [0, 0, 1] };
  const [ca, sa] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [ce, se] = [Math.cos(elevation), Math.sin(elevation)];
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], toward: [ce * ca, ce * sa, se] };
}
