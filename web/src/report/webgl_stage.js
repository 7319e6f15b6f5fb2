// SPDX-License-Identifier: BSD-3-Clause
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  EdgesGeometry,
  Fog,
  Group,
  HemisphereLight,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { color, el, onTheme } from "../common/dom.js";
import { seriesColor } from "../common/plot.js";
import { wheelIsOurs } from "./gestures.js";
import { shade } from "./load_colors.js";
import { Painter } from "./painter.js";
import { corners } from "./solids.js";

const upright = new Vector3(0, 0, 1);
const sharp = 30; // degrees between faces: an edge is drawn there
const coilPieces = 96;
const trailPieces = 3300;

/// What fills the box of a body.
function solidGeometry({ shape, box, mesh }) {
  const sides = 32;
  if (mesh) {
    const corners = new Float32Array(mesh.corners);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(corners, 3));
    geometry.setIndex([...mesh.triangles]);
    // each triangle with its own normal: surfaces of machines have edges
    const flat = geometry.toNonIndexed().scale(...box);
    flat.computeVertexNormals();
    return flat;
  }
  if (shape === "cylinder")
    return new CylinderGeometry(0.5, 0.5, 1, sides).rotateX(Math.PI / 2).scale(...box);
  if (shape === "sphere") return new SphereGeometry(0.5, sides, sides / 2).scale(...box);
  return new BoxGeometry(...box);
}

/// Instances of a cylinder between two places, of which each has its thickness and colour.
class Tubes {
  constructor(count, sides) {
    this.mesh = new InstancedMesh(
      new CylinderGeometry(1, 1, 1, sides, 1),
      new MeshLambertMaterial(),
      Math.max(1, count),
    );
    this.mesh.count = count;
    this.mesh.frustumCulled = false;
    this.matrix = new Matrix4();
    this.turn = new Quaternion();
    this.along = new Vector3();
    this.middle = new Vector3();
    this.size = new Vector3();
    this.hue = new Color();
  }

  set(k, a, b, radius, hue) {
    this.along.subVectors(b, a);
    const length = this.along.length();
    this.turn.setFromUnitVectors(
      Tubes.axis,
      length > 0 ? this.along.divideScalar(length) : Tubes.axis,
    );
    this.middle.addVectors(a, b).multiplyScalar(0.5);
    this.mesh.setMatrixAt(
      k,
      this.matrix.compose(this.middle, this.turn, this.size.set(radius, length, radius)),
    );
    this.mesh.setColorAt(k, this.hue.set(hue));
  }

  done() {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  static axis = new Vector3(0, 1, 0);
}

/// The view of a camera, as Painter asks for it.
class CameraView {
  constructor(camera, controls) {
    Object.assign(this, {
      camera,
      controls,
      dimension: 3,
      width: 1,
      height: 1,
      spot: new Vector3(),
    });
  }

  get scale() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.height / (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  get right() {
    return this.camera.matrixWorld.elements.slice(0, 3);
  }

  get up() {
    return this.camera.matrixWorld.elements.slice(4, 7);
  }

  project(points, k, into) {
    this.spot.set(points[k], points[k + 1], points[k + 2]).project(this.camera);
    into[0] = ((this.spot.x + 1) / 2) * this.width;
    into[1] = ((1 - this.spot.y) / 2) * this.height;
    into[2] = -this.spot.z;
    return into;
  }
}

/// The mechanism in space, drawn by three.js; a stage as CanvasStage is.
export class WebglStage {
  /// null where WebGL is missing
  static create(figure, events) {
    const canvas = el("canvas", {});
    const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
    return context ? new WebglStage(figure, events, canvas, context) : null;
  }

  constructor(figure, events, canvas, context) {
    this.figure = figure;
    this.notes = el("canvas", { class: "notes" });
    this.element = el("div", { class: "webgl" }, canvas, this.notes);
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.camera = new PerspectiveCamera(30, 1, 0.01, 1000);
    this.camera.up.copy(upright);
    this.controls = new OrbitControls(this.camera, canvas);
    canvas.style.touchAction = "pan-y";
    this.view = new CameraView(this.camera, this.controls);
    this.painter = new Painter(figure, this.view);
    this.build();
    this.fit();
    onTheme(() => this.paintBodies());
    this.controls.addEventListener("change", () => {
      this.untouched = false;
      events.redraw();
    });
    this.listen(canvas, events);
  }

  listen(canvas, events) {
    // before OrbitControls: a wheel that is to scroll the page does not zoom
    this.element.addEventListener(
      "wheel",
      (event) => !wheelIsOurs(event, canvas) && event.stopPropagation(),
      { capture: true },
    );
    canvas.addEventListener("webglcontextlost", () => events.lost());
    canvas.addEventListener("dblclick", () => {
      this.fit();
      events.redraw();
    });
    const at = ({ offsetX, offsetY }) => [offsetX, offsetY];
    let pressed = null;
    canvas.addEventListener(
      "pointermove",
      (event) => event.buttons === 0 && events.hover(this.hit(...at(event)), ...at(event)),
    );
    canvas.addEventListener("pointerleave", () => events.hover(null, 0, 0));
    canvas.addEventListener("pointerdown", (event) => (pressed = at(event)));
    canvas.addEventListener("pointerup", (event) => {
      const [x, y] = at(event);
      if (!pressed || Math.hypot(x - pressed[0], y - pressed[1]) > 4) return;
      events.hover(this.hit(x, y), x, y);
      events.tap(this.hit(x, y));
    });
  }

  build() {
    const { points, lines, bodies, box } = this.figure.scene;
    const { low, high } = this.figure.box;
    this.diagonal = Math.hypot(...low.map((l, c) => high[c] - l)) || 1;
    this.thickness = Math.min(0.006 * this.diagonal, 0.08 * this.figure.spacing);
    this.scene = new Scene();
    this.scene.fog = new Fog(0xffffff);
    this.scene.add(new HemisphereLight(0xffffff, 0x8090a0, 2.8));
    const lamp = new DirectionalLight(0xffffff, 1.6);
    lamp.position.set(1, -2, 3);
    this.camera.add(lamp);
    this.scene.add(this.camera);

    this.coils = lines.filter(({ kind }) => kind === "spring").length <= 150;
    const pieces = lines.map(({ kind }) => (kind === "spring" && this.coils ? coilPieces : 1));
    this.tubes = new Tubes(
      pieces.reduce((sum, n) => sum + n, 0),
      lines.length > 500 ? 6 : 12,
    );
    this.scene.add(this.tubes.mesh);

    const fine = points.length > 1000 ? 6 : points.length > 60 ? 12 : 20;
    this.balls = new InstancedMesh(
      new SphereGeometry(1, fine, fine),
      new MeshLambertMaterial(),
      Math.max(1, points.length),
    );
    this.balls.count = points.length;
    this.balls.frustumCulled = false;
    this.scene.add(this.balls);

    this.bodies = bodies.map((body) => {
      const shape = solidGeometry(body);
      const group = new Group();
      group.add(
        new Mesh(
          shape,
          new MeshLambertMaterial({
            polygonOffset: true,
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
          }),
        ),
      );
      group.add(new LineSegments(new EdgesGeometry(shape, sharp), new LineBasicMaterial()));
      group.matrixAutoUpdate = false;
      this.scene.add(group);
      return group;
    });
    if (box) {
      const edges = new LineSegments(
        new EdgesGeometry(new BoxGeometry(...box)),
        new LineBasicMaterial({ color: 0x8a94a0 }),
      );
      edges.position.set(...box.map((edge) => edge / 2));
      this.scene.add(edges);
    }
    this.trails = [];
    this.paintBodies();
  }

  paintBodies() {
    this.bodies.forEach(({ children: [solid, edges] }, b) => {
      solid.material.color.set(this.figure.scene.bodies[b].color || color("--body"));
      edges.material.color.set(color("--shape"));
    });
  }

  resize(width, height) {
    Object.assign(this.view, { width, height });
    this.renderer.setPixelRatio(devicePixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.untouched) this.fit();
    this.notes.width = Math.round(width * devicePixelRatio);
    this.notes.height = Math.round(height * devicePixelRatio);
  }

  // as near as all corners of the box allow
  fit() {
    const { low, high } = this.figure.box;
    const toward = new Vector3(0.46, -0.82, 0.34).normalize();
    const right = new Vector3().crossVectors(upright, toward).normalize();
    const up = new Vector3().crossVectors(toward, right);
    const middle = new Vector3(...low.map((l, c) => (l + high[c]) / 2));
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const filled = 0.86;
    let distance = 0.1 * this.diagonal;
    for (const corner of corners) {
      const spot = new Vector3(...corner.map((c, k) => c * (high[k] - low[k])));
      const wide = Math.abs(spot.dot(right)) / this.camera.aspect;
      const away = Math.max(wide, Math.abs(spot.dot(up))) / (filled * slope) + spot.dot(toward);
      distance = Math.max(distance, away);
    }
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(toward, distance);
    this.camera.near = distance / 200;
    this.camera.far = 20 * (distance + this.diagonal);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    // sizes in the model, so that things that come closer become larger
    const { scale } = this.view;
    this.radii = this.figure.scene.points.map((point) => this.painter.radius(point) / scale);
    this.untouched = true;
  }

  zoom(factor) {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  turn(azimuth, elevation) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const side = new Vector3().crossVectors(upright, offset).normalize();
    const polar = Math.min(3.1, Math.max(0.04, offset.angleTo(upright) - elevation));
    offset.applyAxisAngle(side, polar - offset.angleTo(upright)).applyAxisAngle(upright, azimuth);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  hit(x, y) {
    return this.painter.hit(x, y);
  }

  screen() {
    return this.painter.screen;
  }

  draw({ time, trails, marked, chosen }) {
    const frame = this.figure.place(time);
    this.placePoints(frame);
    this.placeLines(frame);
    this.placeBodies(frame);
    this.placeTrails(trails);
    // what is far is paler: in a picture of many points one sees no depth otherwise
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.scene.fog.color.set(this.painter.look.card);
    this.scene.fog.near = distance - 0.25 * this.diagonal;
    this.scene.fog.far = distance + 1.1 * this.diagonal;
    this.renderer.render(this.scene, this.camera);
    const ctx = this.notes.getContext("2d");
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    ctx.clearRect(0, 0, this.view.width, this.view.height);
    this.painter.project(frame);
    this.painter.paintMark(ctx, marked);
    this.painter.paintNotes(ctx, { marked, chosen });
  }

  placePoints({ points }) {
    const matrix = new Matrix4();
    const hue = new Color();
    const { shape, muted } = this.painter.look;
    this.figure.scene.points.forEach((point, k) => {
      const place = points.subarray(3 * k, 3 * k + 3);
      // what is nowhere is not shown
      const radius = place.every(Number.isFinite) ? this.radii[k] : 0;
      matrix.makeScale(radius, radius, radius).setPosition(...(radius > 0 ? place : [0, 0, 0]));
      this.balls.setMatrixAt(k, matrix);
      this.balls.setColorAt(k, hue.set(point.kind === "anchor" ? muted : shape));
    });
    this.balls.instanceMatrix.needsUpdate = true;
    if (this.balls.instanceColor) this.balls.instanceColor.needsUpdate = true;
  }

  placeLines({ points, loads }) {
    const [a, b, from, to] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    let piece = 0;
    this.figure.scene.lines.forEach(({ kind, ends, length }, k) => {
      a.fromArray(points, 3 * ends[0]);
      b.fromArray(points, 3 * ends[1]);
      const step = shade(loads[k], this.figure.loadScale);
      const hue = step < 0 ? this.painter.look.shape : this.painter.loads[step];
      const whole = Number.isFinite(a.lengthSq() + b.lengthSq());
      if (kind !== "spring" || !this.coils) {
        this.tubes.set(
          piece++,
          a,
          whole ? b : a,
          whole ? this.thickness * (kind === "rod" ? 1 : 0.6) : 0,
          hue,
        );
        return;
      }
      // a helix of as many turns whatever its length
      const along = b.clone().sub(a);
      const across = new Vector3(along.y, -along.x, 0);
      if (across.lengthSq() < 1e-12 * along.lengthSq()) across.set(1, 0, 0);
      across.normalize();
      const third = new Vector3().crossVectors(along, across).normalize();
      const turns = Math.round(Math.min(12, Math.max(4, (40 * length) / this.diagonal)));
      const wide = Math.min(2.5 * this.thickness, Math.max(1.2 * this.thickness, length / 12));
      const spot = (share, into) => {
        const ramp = Math.min(1, 8 * Math.min(share, 1 - share));
        const angle = 2 * Math.PI * turns * share;
        return into
          .copy(a)
          .addScaledVector(along, share)
          .addScaledVector(across, ramp * wide * Math.cos(angle))
          .addScaledVector(third, ramp * wide * Math.sin(angle));
      };
      spot(0, from);
      for (let n = 0; n < coilPieces; ++n) {
        spot((n + 1) / coilPieces, to);
        this.tubes.set(piece++, from, whole ? to : from, whole ? 0.45 * this.thickness : 0, hue);
        from.copy(to);
      }
    });
    this.tubes.done();
  }

  placeBodies({ centres, rotations }) {
    const axes = new Matrix4();
    this.figure.scene.bodies.forEach(({ axes: A }, b) => {
      const R = rotations.subarray(9 * b, 9 * b + 9);
      const c = centres.subarray(3 * b, 3 * b + 3);
      this.bodies[b].visible = R.every(Number.isFinite) && c.every(Number.isFinite);
      axes.set(A[0], A[1], A[2], 0, A[3], A[4], A[5], 0, A[6], A[7], A[8], 0, 0, 0, 0, 1);
      this.bodies[b].matrix
        .set(R[0], R[1], R[2], c[0], R[3], R[4], R[5], c[1], R[6], R[7], R[8], c[2], 0, 0, 0, 1)
        .multiply(axes);
    });
  }

  placeTrails(trails) {
    while (this.trails.length < trails.length) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * trailPieces), 3));
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(4 * trailPieces), 4));
      const line = new Line(
        geometry,
        new LineBasicMaterial({ vertexColors: true, transparent: true }),
      );
      line.frustumCulled = false;
      this.trails.push(line);
      this.scene.add(line);
    }
    const hue = new Color();
    this.trails.forEach((line, k) => {
      line.visible = k < trails.length;
      if (!line.visible) return;
      const { hue: place, points } = trails[k];
      const count = Math.min(points.length / 3, trailPieces);
      const { position, color: tint } = line.geometry.attributes;
      hue.set(seriesColor(place));
      position.array.set(points.subarray(points.length - 3 * count));
      for (let n = 0; n < count; ++n) tint.setXYZW(n, hue.r, hue.g, hue.b, 0.1 + (0.9 * n) / count);
      position.needsUpdate = true;
      tint.needsUpdate = true;
      line.geometry.setDrawRange(0, count);
    });
  }
}
