// Files that the page gives to the browser.

import { saying } from "./state.js";

/** Let the browser save a file; the changes that say so. */
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return saying(`Saved as ${name}.`);
}

/** A picture in SVG as one of pixels, two for each of the page. */
export async function pixels(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
