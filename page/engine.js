// The worker as a function: ask() gives a promise. Long work is stopped by ending the worker.

export class Stopped extends Error {}

let worker = null;
let next = 0;
const asked = new Map();
let tell = () => {};

/** Start the engine; `told` is called with {what}, {ready, seconds}, {failed} and {busy, what}. */
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
    const { resolve } = asked.get(data.id);
    asked.delete(data.id);
    if (!asked.size) tell({ busy: false });
    resolve({ ...data.answer, seconds: data.seconds });
  };
}

/** The number of questions without an answer so far. */
export function waiting() {
  return asked.size;
}

/** Ask Python; `what` describes the work in words. The promise rejects with Stopped after stop(). */
export function ask(question, what) {
  const id = next++;
  const answer = new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
  worker.postMessage({ id, question });
  tell({ busy: true, what });
  return answer;
}

/** End all work by ending the worker, and load Python anew. */
export function stop() {
  worker.terminate();
  for (const { reject } of asked.values()) reject(new Stopped());
  asked.clear();
  tell({ busy: false });
  spawn();
}
