// Python in a worker: loads Pyodide and the wheels beside it, then answers one question at a time.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const PACKAGES = new URL("./wheels/", import.meta.url);

function tell(what) {
  postMessage({ what });
}

async function load() {
  tell("loading Python");
  const built = await (await fetch(new URL("./built.json", import.meta.url))).json();
  const wheels = built.wheels.map(async (name) => {
    const answer = await fetch(new URL(name, PACKAGES));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer.arrayBuffer();
  });
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  tell("unpacking the packages");
  for (const wheel of wheels) {
    python.unpackArchive(await wheel, "wheel", { extractDir: built.site_packages });
  }
  tell("starting the solvers");
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

onmessage = async ({ data: { id, question } }) => {
  const ask = await loading;
  const begun = performance.now();
  let answer;
  try {
    answer = JSON.parse(ask(JSON.stringify(question)));
  } catch (error) {
    answer = { error: `a defect of ours: ${wording(error)}` };
  }
  postMessage({ id, answer, seconds: (performance.now() - begun) / 1000 });
};
