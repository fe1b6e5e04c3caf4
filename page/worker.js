// Python in a worker: loads Pyodide and the packages beside it, then answers one question at a time.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const HERE = new URL("./", import.meta.url);
const MEMORY = new URL("memory", HERE).href;
const LATER = 2000;

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
  const store = await storeOf(built.build);
  const memory = await keptMemory(store);
  const anew = () => start(built, null, store);
  return memory ? start(built, memory, store).catch(anew) : anew();
}

/** The cache in which the service worker keeps this build; undefined where there is none. */
async function storeOf(build) {
  const name = `satsweeper ${build}`;
  if (await self.caches?.has(name)) return caches.open(name);
}

/** The memory of Python as an earlier visit left it, if it is what was kept. */
async function keptMemory(store) {
  const kept = await store?.match(MEMORY);
  const memory = await kept?.arrayBuffer();
  if (memory && kept.headers.get("digest") === (await digest(memory))) return memory;
}

function keepMemory(store, memory) {
  const put = (found) => store?.put(MEMORY, new Response(memory, { headers: { digest: found } }));
  return digest(memory).then(put).catch(() => {}); // Without room for it the next visit takes longer.
}

async function digest(bytes) {
  return String(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Start Python from its kept memory, or anew and keep the memory: it has all modules that the first questions need. */
async function start(built, memory, store) {
  if (!memory) counting(built.bytes);
  const archives = ["packages.zip", "solvers.zip"].map(async (name) => new Uint8Array(await (await file(name)).arrayBuffer()));
  const how = memory ? { _loadSnapshot: memory } : { _makeSnapshot: true };
  const python = await loadPyodide({ indexURL: new URL("pyodide/", HERE).href, ...how });
  const [packages, solvers] = await Promise.all(archives);
  python.FS.writeFile(built.packages, packages);
  python.unpackArchive(solvers, "zip", { extractDir: built.site_packages });
  if (!memory) {
    postMessage({ loading: "Starting the solvers" });
    python.runPython(`import sys; sys.path.append("${built.packages}"); from satsweeper.show.page.ask import ask, warm_up; warm_up()`);
    // Before a solver is loaded, as memory with a dynamic library in it cannot be kept, and before tables are made: it would outgrow what Python starts with.
    const left = python.makeMemorySnapshot();
    setTimeout(() => keepMemory(store, left), LATER);
  }
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
