// The worker as a function: ask() gives a promise. Long work is stopped by ending the worker.

export class Stopped extends Error {}

let worker = null;
let next = 0;
const waiting = new Map();
let tell = () => {};

/** Start the engine; `told` hears {what}, {ready, seconds}, {failed} and {busy, what}. */
export function start(told) {
  tell = told;
  spawn();
}

function spawn() {
  const begun = performance.now();
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onerror = (event) => tell({ failed: event.message || "the worker could not be started" });
  worker.onmessage = ({ data }) => {
    if (data.id === undefined) {
      tell(data.ready ? { ready: true, seconds: (performance.now() - begun) / 1000 } : data);
      return;
    }
    const { resolve } = waiting.get(data.id);
    waiting.delete(data.id);
    tell({ busy: waiting.size > 0 });
    resolve({ ...data.answer, seconds: data.seconds });
  };
}

/** Ask Python; `what` says in words what it is doing. Rejects with Stopped after stop(). */
export function ask(question, what) {
  const id = next++;
  tell({ busy: true, what });
  worker.postMessage({ id, question });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** End whatever is under way, and load anew. */
export function stop() {
  worker.terminate();
  for (const { reject } of waiting.values()) reject(new Stopped());
  waiting.clear();
  tell({ busy: false });
  spawn();
}
