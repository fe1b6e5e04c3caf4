// The worker as a function: ask() gives a promise of one answer. Long work is stopped by ending the worker.

export class Stopped extends Error {}

let worker = null;
let asked = null;
let ready = false;
let tell = () => {};

/** Start the engine after `first`; `told` is called with {loading, bytes, all}, {ready: seconds}, {failed} and {busy: what or null}. */
export async function start(first, told) {
  tell = told;
  await first;
  spawn();
}

/** Whether Python is there. */
export function isReady() {
  return ready;
}

/** Load Python, and ask it what has no answer yet. */
export function spawn() {
  const begun = performance.now();
  worker?.terminate();
  ready = false;
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onerror = (event) => tell({ failed: event.message || "the worker could not be started" });
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      ready = true;
      tell({ ready: (performance.now() - begun) / 1000 });
      if (asked) tell({ busy: asked.what });
    } else if (data.answer) {
      const { resolve } = asked;
      asked = null;
      tell({ busy: null });
      resolve({ ...data.answer, seconds: data.seconds });
    } else tell(data);
  };
  if (asked) worker.postMessage(asked.question);
}

/** Ask Python, one question at a time; `what` is the work in words. The promise rejects with Stopped after stop(). */
export function ask(question, what) {
  return new Promise((resolve, reject) => {
    asked = { question, what, resolve, reject };
    worker?.postMessage(question);
    if (ready) tell({ busy: what });
  });
}

/** End the work under way by ending the worker, and load Python anew. Python that is still loading goes on. */
export function stop() {
  if (!ready || !asked) return;
  const { reject } = asked;
  asked = null;
  tell({ busy: null });
  spawn();
  reject(new Stopped());
}
