// Python in a worker: loads Pyodide and the packages beside it, then answers one question at a time.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const HERE = new URL("./", import.meta.url);

/** Count the bytes of each file that is fetched from now on, and tell how many of `all` have come. */
function counting(all) {
  const fetching = self.fetch;
  let bytes = 0;
  self.fetch = async (...given) => {
    const answer = await fetching(...given);
    const counted = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        postMessage({ loading: "Loading Python and the solvers", bytes, all });
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counted), answer);
  };
}

async function file(name) {
  const answer = await fetch(new URL(name, HERE));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

async function load() {
  const built = await (await file("built.json")).json();
  counting(built.bytes);
  const packages = file("packages.zip").then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("pyodide/", HERE).href });
  python.unpackArchive(await packages, "zip", { extractDir: built.site_packages });
  postMessage({ loading: "Starting the solvers" });
  python.runPython("import sys; from satsweeper.show.page.ask import ask, warm_up; warm_up()");
  return python.globals.get("ask");
}

const loading = load();
loading.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: wording(error) }),
);

/** The line of a traceback with the error. */
function wording(error) {
  const lines = String(error.message ?? error).trim().split("\n");
  return lines.findLast((line) => /^[\w.]*(Error|Exception)\b/.test(line)) ?? lines.at(-1);
}

onmessage = async ({ data: question }) => {
  const ask = await loading;
  const begun = performance.now();
  let answer;
  try {
    answer = JSON.parse(ask(JSON.stringify(question)));
  } catch (error) {
    answer = { error: `a defect of ours: ${wording(error)}` };
  }
  postMessage({ answer, seconds: (performance.now() - begun) / 1000 });
};
