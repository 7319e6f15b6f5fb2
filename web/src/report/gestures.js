// SPDX-License-Identifier: BSD-3-Clause

/// Mouse, touch and wheel on a picture, as what they mean:
///
///   drag(dx, dy, turning)   turning: one pointer without Shift and not the right button
///   zoom(factor, x, y)      about a place
///   hover(x, y), leave()    a pointer over the picture (a tap hovers)
///   tap(x, y), reset()      click; double click
///
/// The wheel zooms once the picture has been clicked, or with Ctrl: before that it scrolls the page.
/// A vertical stroke of one finger scrolls, too.
export function gestures(element, { drag, zoom, hover, leave, tap, reset }) {
  const pointers = new Map();
  let moved = 0;
  const at = (event) => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return {
      distance: Math.hypot(a[0] - b[0], a[1] - b[1]),
      x: (a[0] + b[0]) / 2,
      y: (a[1] + b[1]) / 2,
    };
  };

  element.style.touchAction = "pan-y";
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 1) moved = 0;
  });
  element.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    const last = pointers.get(event.pointerId);
    if (!last) return hover(x, y);
    const old = pointers.size === 2 ? spread() : null;
    pointers.set(event.pointerId, [x, y]);
    moved += Math.abs(x - last[0]) + Math.abs(y - last[1]);
    if (old) {
      const now = spread();
      drag(now.x - old.x, now.y - old.y, false);
      if (old.distance > 0 && now.distance > 0) zoom(now.distance / old.distance, now.x, now.y);
    } else drag(x - last[0], y - last[1], !event.shiftKey && (event.buttons & 2) === 0);
  });
  element.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && moved < 5) {
      hover(...at(event));
      tap(...at(event));
    }
  });
  element.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  element.addEventListener("pointerleave", leave);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("dblclick", reset);
  element.addEventListener(
    "wheel",
    (event) => {
      if (!wheelIsOurs(event, element)) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), ...at(event));
    },
    { passive: false },
  );
}

/// Whether a wheel over a picture zooms it; `element` lies in what can have the focus.
export function wheelIsOurs(event, element) {
  const stage = element.closest("[tabindex]");
  return event.ctrlKey || event.metaKey || stage.contains(document.activeElement);
}
