// Independent of the modules of a TV page, and written for browsers that do not know modules: when the modules have
// never marked the page as alive, it says so and loads the server's plain page again each minute; when they have not
// for five minutes, because all of them hang, it reloads the page. It reloads only if the service answers.
(function () {
  var STARTED_WITHIN_MS = 20000;
  var PLAIN_MS = 60000;
  var EVERY_MS = 300000;
  /** @type {string | null} */
  var last = null;

  function alive() {
    return document.body.getAttribute('data-alive');
  }

  function reload() {
    var request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.setRequestHeader('Cache-Control', 'no-cache');
    // Not reachable: an old page is better than none.
    request.onload = function () {
      if (request.status === 200) location.reload();
    };
    request.send();
  }

  setTimeout(function () {
    if (alive() !== null) return;
    var note = document.querySelector('[data-note]');
    if (note === null) return;
    // What came with the oldest browsers that run the modules.
    var old = !('noModule' in document.createElement('script')) || !('replaceAll' in String.prototype);
    note.textContent = note.getAttribute(old ? 'data-old' : 'data-failed');
    note.removeAttribute('hidden');
    document.body.setAttribute('data-noted', '');
    setInterval(function () {
      if (alive() === null) reload();
    }, PLAIN_MS);
  }, STARTED_WITHIN_MS);

  setInterval(function () {
    var now = alive();
    var isAlive = now !== null && now !== last;
    last = now;
    if (!isAlive) reload();
  }, EVERY_MS);
})();
