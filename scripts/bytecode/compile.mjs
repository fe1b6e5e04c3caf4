// Compile the Python files of archives, in place, by the Python of the page: node compile.mjs PYODIDE ARCHIVE...

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, ...archives] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.runPython(readFileSync(new URL("archive.py", import.meta.url), "utf8"));
const compiled = python.runPython("lambda archive: compiled(archive.to_bytes())");
// The library that Python runs from may be among them: it has been read whole.
for (const path of archives) writeFileSync(path, compiled(new Uint8Array(readFileSync(path))).toJs());
