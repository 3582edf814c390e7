// Stands beside the modules of a TV page and depends on none of them: when they give no sign of life for five
// minutes, because one could not be loaded or all of them hang, it loads the page anew, if the house answers.
(() => {
  const EVERY_MS = 300_000;
  /** @type {string | undefined} */
  let last;
  setInterval(async () => {
    const { alive } = document.body.dataset;
    const lives = alive !== undefined && alive !== last;
    last = alive;
    if (lives) return;
    try {
      const { ok } = await fetch(location.href, { cache: 'no-store' });
      if (ok) location.reload();
    } catch {
      // Not now: what is on the screen is better than nothing.
    }
  }, EVERY_MS);
})();
