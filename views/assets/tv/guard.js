// Independent of the modules of a TV page: when they have not marked the page as alive for five minutes, because one
// could not be loaded or all of them hang, it reloads the page, if the service answers.
(() => {
  const EVERY_MS = 300_000;
  /** @type {string | undefined} */
  let last;
  setInterval(async () => {
    const { alive } = document.body.dataset;
    const isAlive = alive !== undefined && alive !== last;
    last = alive;
    if (isAlive) return;
    try {
      const { ok } = await fetch(location.href, { cache: 'no-store' });
      if (ok) location.reload();
    } catch {
      // Not reachable: an old page is better than none.
    }
  }, EVERY_MS);
})();
