// The page is kept in the browser by a service worker, so that the next visit needs no network.

const FIRST = 3000;

/** Register the service worker; done when it serves this page, or cannot. A new build takes over at the start of a visit. */
export async function keepPage() {
  const container = navigator.serviceWorker;
  if (!container) return;
  try {
    const changed = new Promise((done) => container.addEventListener("controllerchange", done, { once: true }));
    const { waiting } = await container.register("service_worker.js");
    if (waiting) {
      changed.then(() => location.reload());
      waiting.postMessage("take over");
    } else if (!container.controller) await Promise.race([changed, new Promise((done) => setTimeout(done, FIRST))]);
  } catch {
    // Without storage the page is loaded at each visit.
  }
}
