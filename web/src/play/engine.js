// SPDX-License-Identifier: BSD-3-Clause
// What computes for the page: taut as WebAssembly in a worker, or a program that serves it.
//
//   const ask = await engine(data)     data of the page (web/README.md)
//   await ask({ ask: "run", ... })     a question and its answer (src/play/live_model.hpp)
//
// Questions are answered one after the other, and the page never waits.

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// runs in the worker, behind the script of the engine
const inWorker = `
let taut;
const said = new TextEncoder(), heard = new TextDecoder();
onmessage = async ({ data }) => {
  if (data.wasm) {
    taut = await tautEngine({ wasmBinary: data.wasm, print() {}, printErr() {} });
    taut.FS.mkdir("/model");
    for (const [name, bytes] of data.files) taut.FS.writeFile("/model/" + name, bytes);
    taut.FS.writeFile("/model/" + data.file, "");
    const file = said.encode("/model/" + data.file + "\\0");
    const at = taut._malloc(file.length);
    taut.HEAPU8.set(file, at);
    taut._taut_begin(at);
    taut._free(at);
    postMessage({ ready: true });
    return;
  }
  const question = said.encode(data.question);
  const at = taut._malloc(question.length + 1);
  taut.HEAPU8.set(question, at);
  const from = taut._taut_answer(at, question.length);
  taut._free(at);
  postMessage({ answer: heard.decode(taut.HEAPU8.slice(from, from + taut._taut_length())) });
};`;

export async function engine(data) {
  return data.server ? served(data.server) : inside(data);
}

async function inside({ engine: { script, wasm }, file, files }) {
  const loader = new TextDecoder().decode(await unpacked(script));
  const place = URL.createObjectURL(new Blob([loader, inWorker], { type: "text/javascript" }));
  const worker = new Worker(place);
  const waiting = [];
  let ready;
  const begun = new Promise((done, failed) => {
    ready = done;
    worker.onerror = ({ message }) => failed(new Error(message));
  });
  worker.onmessage = ({ data }) =>
    data.ready ? ready() : waiting.shift()(JSON.parse(data.answer));
  const beside = Object.entries(files ?? {}).map(([name, text]) => [name, bytesOf(text)]);
  worker.postMessage({ wasm: await unpacked(wasm), files: beside, file });
  await begun;
  return (question) =>
    new Promise((done) => {
      waiting.push(done);
      worker.postMessage({ question: JSON.stringify(question) });
    });
}

function served({ token }) {
  let last = Promise.resolve();
  const send = async (question) => {
    const answer = await fetch("/ask", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Taut-Token": token },
      body: JSON.stringify(question),
    });
    if (!answer.ok) throw new Error(`the program answers ${answer.status}`);
    return answer.json();
  };
  return (question) => {
    last = last.then(() => send(question));
    return last;
  };
}
