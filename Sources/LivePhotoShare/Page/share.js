// Saves all files of the page, one after the other. Browsers ask once whether a page may do that.
const button = document.getElementById("each");

/** Milliseconds between two files; of those that come faster, some browsers save one only. */
const pause = 1000;

button?.addEventListener("click", async () => {
  button.disabled = true;
  for (const link of document.querySelectorAll("a[download]")) {
    link.click();
    await new Promise((done) => setTimeout(done, pause));
  }
  button.disabled = false;
});
