// SPDX-License-Identifier: BSD-3-Clause

/// Calls `act(what)` for the newest of all things it was asked for, one at a time: while one is under
/// way, those that come in between are forgotten but for the last.
export function latest(act) {
  let next = null;
  let busy = false;
  return async function ask(what) {
    next = { what };
    if (busy) return;
    busy = true;
    try {
      while (next) {
        const { what: now } = next;
        next = null;
        await act(now);
      }
    } finally {
      busy = false; // an error in one of them does not stop those that come
    }
  };
}
