// SPDX-License-Identifier: BSD-3-Clause
// What computes for the page: taut as WebAssembly in a worker, or a program that serves it.
//
//   const ask = await engine(data)     data of the page (web/README.md)
//   await ask({ ask: "run", ... })     a question and its answer (src/play/live_model.hpp)
//
// Questions are answered one after the other, and the page never waits. An engine that stops, or is
// silent for too long, is an answer like others, { ok: false, broken: true, problems }; a new engine
// then stands where that one stood before the question.

const patience = 30000; // milliseconds for one answer

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// runs in the worker, behind the script of the engine
const inWorker = `
let taut;
const said = new TextEncoder(), heard = new TextDecoder();
async function begin({ wasm, files, file }) {
  taut = await tautEngine({ wasmBinary: wasm, print() {}, printErr() {} });
  taut.FS.mkdir("/model");
  for (const [name, bytes] of files) taut.FS.writeFile("/model/" + name, bytes);
  taut.FS.writeFile("/model/" + file, "");
  const place = said.encode("/model/" + file + "\\0");
  const at = taut._malloc(place.length);
  taut.HEAPU8.set(place, at);
  taut._taut_begin(at);
  taut._free(at);
  return { ready: true };
}
function answer(text) {
  const question = said.encode(text);
  const at = taut._malloc(question.length + 1);
  taut.HEAPU8.set(question, at);
  const from = taut._taut_answer(at, question.length);
  taut._free(at);
  return { answer: heard.decode(taut.HEAPU8.slice(from, from + taut._taut_length())) };
}
onmessage = async ({ data }) => {
  try {
    postMessage(data.wasm ? await begin(data) : answer(data.question));
  } catch (error) {
    postMessage({ broken: String(error && error.message || error) });
  }
};`;

export async function engine(data) {
  if (data.server) return inTurn(served(data.server));
  const inside = await Inside.of(data);
  await inside.begin();
  return inTurn((question) => inside.send(question));
}

/// Asks one after the other; what goes wrong on the way is an answer.
function inTurn(send) {
  let last = Promise.resolve();
  const one = async (question) => {
    try {
      return await send(question);
    } catch ({ message }) {
      const remedy = "What was asked last was too much for it; change it, and go on.";
      return { ok: false, broken: true, problems: [{ line: 0, where: "engine", what: message, remedy }] };
    }
  };
  return (question) => (last = last.then(() => one(question)));
}

/// The engine in a worker.
class Inside {
  static async of({ engine: { script, wasm }, file, files, models }) {
    const made = new Inside();
    const loader = new TextDecoder().decode(await unpacked(script));
    made.place = URL.createObjectURL(new Blob([loader, inWorker], { type: "text/javascript" }));
    const beside = Object.entries(files ?? {}).map(([name, text]) => [name, bytesOf(text)]);
    // what a model is called must be there
    for (const other of models ?? []) beside.push([other.file, ""]);
    made.beginning = { wasm: await unpacked(wasm), files: beside, file };
    made.opened = made.start = null; // what a new engine has to be told
    return made;
  }

  async begin() {
    this.worker = new Worker(this.place);
    await this.post(this.beginning);
  }

  /// What the worker answers; where it cannot, it is no more.
  async post(message) {
    const { worker } = this;
    let tooLong = 0;
    try {
      return await new Promise((done, failed) => {
        worker.onmessage = ({ data }) => ("broken" in data ? failed(new Error(data.broken)) : done(data));
        worker.onerror = (event) => {
          event.preventDefault();
          failed(new Error(event.message));
        };
        worker.onmessageerror = () => failed(new Error("its answer cannot be read"));
        tooLong = setTimeout(() => failed(new Error(`no answer in ${patience / 1000} s`)), patience);
        worker.postMessage(message);
      });
    } catch (error) {
      worker.terminate();
      this.worker = null;
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
  }

  async put(question) {
    return JSON.parse((await this.post({ question: JSON.stringify(question) })).answer);
  }

  async send(question) {
    if (!this.worker) await this.again();
    try {
      const answer = await this.put(question);
      if (answer.ok) this.remember(question, answer);
      return answer;
    } catch (error) {
      await this.again();
      throw new Error(`stopped (${error.message}); a new one has taken its place`);
    }
  }

  remember(question, { start }) {
    if (question.ask === "open") this.opened = question;
    if (question.ask === "open" || question.ask === "back") this.start = null;
    if (start) {
      const { point, to, ...settings } = question;
      this.start = { ...settings, ask: "start", values: start };
    }
  }

  /// A new engine, where the one before stood.
  async again() {
    await this.begin();
    if (this.opened) await this.put(this.opened);
    if (this.start) await this.put(this.start);
  }
}

function served({ token }) {
  const post = (place, question) =>
    fetch(place, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Taut-Token": token },
      body: JSON.stringify(question),
    });
  // that it is there: `--close-after`
  setInterval(() => post("/alive", {}).catch(() => {}), 10000);
  return async (question) => {
    const answer = await post("/ask", question).catch(() => {
      throw new Error("the program does not answer: has it ended?");
    });
    if (!answer.ok) throw new Error(`the program answers ${answer.status}`);
    return answer.json();
  };
}
