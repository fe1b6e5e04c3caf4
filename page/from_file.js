// A browser runs no modules of a page that was opened as a file: show that instead of loading for ever.
if (location.protocol === "file:") {
  document.getElementById("said").textContent =
    "This page must come from a server, be it on this machine: run satsweeper page --serve.";
}
