// The page without a network: all files of one build are kept in one cache, and come from there.
//
// The build writes its hash and the hashes of its files into this script, so that a browser sees a new build by the script.
// A new build takes over whole: all its files are there before it does, those that are the same from the cache of the old one.

const BUILD = "BUILD";
const FILES = { "FILES": "" };

const HERE = new URL("./", self.location);
const NAMES = new Map(Object.keys(FILES).map((name) => [new URL(name, HERE).href, name]));
const PREFIX = "satsweeper ";
const LARGE = /^pyodide\/|\.zip$/;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (name) event.respondWith(answered(name, event));
});

/** The first build keeps what is large as it is asked for; a later one is complete before it takes over. */
async function install() {
  const old = (await caches.keys()).find((key) => key.startsWith(PREFIX) && key !== PREFIX + BUILD);
  const before = old && (await caches.open(old));
  const cache = await caches.open(PREFIX + BUILD);
  for (const name of Object.keys(FILES)) {
    if (!before && LARGE.test(name)) continue;
    const kept = await before?.match(new URL(name, HERE));
    if (kept && (await intact(kept, name))) await cache.put(new URL(name, HERE), kept);
    else await keep(name, await fetch(new URL(name, HERE), { cache: "no-cache" }), true);
  }
}

async function activate() {
  const old = (await caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== PREFIX + BUILD);
  await Promise.all(old.map((key) => caches.delete(key)));
  await clients.claim();
}

/** Take the place of an old build, but not while another window shows it. */
async function takeOver() {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.length === 1) await self.skipWaiting();
}

/** The name of the file that is asked for; undefined if it is none of the build. */
function nameOf({ method, url }) {
  const at = new URL(url);
  at.hash = at.search = "";
  if (at.href === HERE.href) return "index.html";
  return method === "GET" ? NAMES.get(at.href) : undefined;
}

async function answered(name, event) {
  const cache = await caches.open(PREFIX + BUILD);
  const kept = await cache.match(new URL(name, HERE));
  if (kept) return kept;
  const answer = await fetch(event.request);
  event.waitUntil(keep(name, answer.clone()));
  return answer;
}

/** Keep a file of this build, and none of another. */
async function keep(name, answer, must = false) {
  const copy = answer.clone();
  if (answer.ok && (await intact(answer, name))) await (await caches.open(PREFIX + BUILD)).put(new URL(name, HERE), copy);
  else if (must) throw new Error(`${name} is not the one of this build`);
}

async function intact(answer, name) {
  const bytes = await answer.clone().arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return FILES[name] === Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
