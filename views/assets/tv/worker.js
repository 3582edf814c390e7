// Keeps the screens of this browser running without a network and after a restart: pages and the feed come from the
// service if it answers in time, else from the cache; assets and pictures from the cache, and pictures are renewed.
/* global self, caches */

/** Set by /tv-sw.js before this file: a name that changes with every build, the pages and their assets. */
const { build, pages, assets } = /** @type {any} */ (self).TV;

const SHELL = `tv-shell-${build}`;
const CONTENT = 'tv-content';
const PICTURES = 'tv-pictures';
const PICTURES_AT_MOST = 60;
const ANSWER_WITHIN_MS = 4_000;
/** What is polled; the last response is kept. */
const FEEDS = ['/api/events'];

const worker = /** @type {any} */ (self);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(install());
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(takeOver());
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (request.mode === 'navigate' && pages.includes(url.pathname))
    event.respondWith(openPage(event, url.pathname, url.searchParams.has('turned') ? '?turned' : ''));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(fromShell(request));
  else if (FEEDS.includes(url.pathname)) event.respondWith(readFeed(event, url.pathname));
  else if (url.pathname.startsWith('/api/image/')) event.respondWith(showPicture(event, request));
  // Streams and the rest are not handled.
});

async function install() {
  const shell = await caches.open(SHELL);
  await shell.addAll(assets);
  await Promise.all(pages.map((/** @type {string} */ page) => keepPage(page)));
  await worker.skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) {
    if (name.startsWith('tv-') && ![SHELL, CONTENT, PICTURES].includes(name)) await caches.delete(name);
  }
  await worker.clients.claim();
}

/**
 * Keeps a page; for a screen that is sent to another page, that one in its place: a navigation refuses what was redirected.
 * @param {string} page
 */
async function keepPage(page) {
  const response = await fetch(page, { cache: 'no-cache' });
  if (!response.ok) return;
  const { headers, redirected } = response;
  const own = redirected ? new Response(await response.arrayBuffer(), { headers }) : response;
  await (await caches.open(SHELL)).put(page, own);
}

/**
 * @param {any} event
 * @param {string} path
 * @param {string} query the part of it that decides what the service sends; the page reads the rest itself
 */
async function openPage(event, path, query) {
  const kept = async () => (await caches.open(SHELL)).match(path + query);
  try {
    const response = await inTime(event.request);
    if (response.type === 'opaqueredirect') {
      event.waitUntil(keepPage(path));
      return response;
    }
    if (!response.ok) return (await kept()) ?? response;
    event.waitUntil(keep(SHELL, path + query, response.clone()));
    return response;
  } catch (error) {
    const page = await kept();
    if (page) return page;
    throw error;
  }
}

/** @param {Request} request */
async function fromShell(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/**
 * The service's answer; the cached one, marked with its time, if no good answer comes within four seconds.
 * @param {any} event
 * @param {string} path
 */
async function readFeed(event, path) {
  const kept = async () => (await caches.open(CONTENT)).match(path);
  try {
    const response = await inTime(event.request);
    if (!response.ok) return (await kept()) ?? response;
    event.waitUntil(keepDated(path, response.clone()));
    return response;
  } catch (error) {
    const answer = await kept();
    if (answer) return answer;
    throw error;
  }
}

/**
 * @param {string} path
 * @param {Response} response
 */
async function keepDated(path, response) {
  const headers = { 'content-type': 'application/json', 'x-kept': String(Date.now()) };
  await keep(CONTENT, path, new Response(await response.arrayBuffer(), { headers }));
}

/**
 * Returns a kept picture at once, and renews it for the next time; keeps at most sixty.
 * @param {any} event
 * @param {Request} request
 */
async function showPicture(event, request) {
  const pictures = await caches.open(PICTURES);
  const kept = await pictures.match(request);
  const renewal = fetch(request).then(async (response) => {
    if (response.ok) await keepPicture(pictures, request, response.clone());
    // What the service has deleted is deleted here too.
    else if (response.status === 404) await pictures.delete(request);
    return response;
  });
  if (!kept) return renewal;
  event.waitUntil(renewal.catch(() => undefined));
  return kept;
}

/**
 * @param {Cache} pictures
 * @param {Request} request
 * @param {Response} response
 */
async function keepPicture(pictures, request, response) {
  // Put again, it becomes the newest entry: keys are in insertion order.
  await pictures.delete(request);
  await pictures.put(request, response);
  const all = await pictures.keys();
  for (const old of all.slice(0, Math.max(0, all.length - PICTURES_AT_MOST))) await pictures.delete(old);
}

/**
 * @param {string} store
 * @param {string} path
 * @param {Response} response
 */
async function keep(store, path, response) {
  await (await caches.open(store)).put(path, response);
}

/** @param {Request} request */
function inTime(request) {
  // As in base/request.js: a classic worker cannot import modules.
  const late = new AbortController();
  setTimeout(() => late.abort(), ANSWER_WITHIN_MS);
  return fetch(request, { signal: late.signal });
}
