// SPDX-License-Identifier: BSD-3-Clause
// The whole state of the page in its address, behind the #: nothing of it goes to any server.

export async function write(state) {
  const text = new Blob([JSON.stringify(state)]).stream();
  const bytes = await new Response(text.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  let all = "";
  for (const byte of new Uint8Array(bytes)) all += String.fromCharCode(byte);
  return `#${btoa(all).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/// null where there is none, or it is damaged.
export async function read(hash) {
  if (hash.length < 2) return null;
  try {
    const all = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(all, (c) => c.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const state = JSON.parse(await new Response(text).text());
    return typeof state === "object" && state !== null ? state : null;
  } catch {
    return null;
  }
}
