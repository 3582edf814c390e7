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
  await keep(SHELL, page, own);
}

/**
 * @param {any} event
 * @param {string} path
 * @param {string} query the part of it that decides what the service sends; the page reads the rest itself
 */
async function openPage(event, path, query) {
  const kept = await keptIn(SHELL, path + query);
  try {
    const response = await inTime(event.request, kept);
    if (response.type === 'opaqueredirect') {
      event.waitUntil(keepPage(path).catch(() => undefined));
      return response;
    }
    if (!response.ok) return kept ?? response;
    event.waitUntil(keep(SHELL, path + query, response.clone()));
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request */
async function fromShell(request) {
  // Also that of an earlier build, whose page may still be open.
  const kept = await caches.match(request, { ignoreVary: true }).catch(() => undefined);
  return kept ?? fetch(request);
}

/**
 * The service's answer; the cached one, marked with its time, if no good answer comes within four seconds.
 * @param {any} event
 * @param {string} path
 */
async function readFeed(event, path) {
  const kept = await keptIn(CONTENT, path);
  try {
    const response = await inTime(event.request, kept);
    if (!response.ok) return kept ?? response;
    event.waitUntil(keepDated(path, response.clone()));
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/**
 * @param {string} path
 * @param {Response} response
 */
async function keepDated(path, response) {
  const headers = { 'content-type': 'application/json', 'x-kept': String(Date.now()) };
  await keep(CONTENT, path, new Response(response.body, { headers }));
}

/**
 * Returns a kept picture at once, and renews it for the next time; keeps at most sixty.
 * @param {any} event
 * @param {Request} request
 */
async function showPicture(event, request) {
  const kept = await keptIn(PICTURES, request);
  const renewal = fetch(request).then((response) => {
    if (response.ok) event.waitUntil(keepPicture(request, response.clone()));
    // What the service has deleted is deleted here too.
    else if (response.status === 404) event.waitUntil(drop(PICTURES, request));
    return response;
  });
  if (!kept) return renewal;
  event.waitUntil(renewal.catch(() => undefined));
  return kept;
}

/**
 * Keeps a picture as the newest one; where the browser has no space left, in place of the oldest ones.
 * @param {Request} request
 * @param {Response} response
 */
async function keepPicture(request, response) {
  try {
    const { headers } = response;
    const bytes = await response.blob();
    const pictures = await caches.open(PICTURES);
    const others = (await pictures.keys()).filter(({ url }) => url !== request.url);
    for (const old of others.splice(0, others.length - PICTURES_AT_MOST + 1)) await pictures.delete(old);
    while (!(await keep(PICTURES, request, new Response(bytes, { headers })))) {
      const old = others.shift();
      if (!old) return;
      await pictures.delete(old);
    }
  } catch {
    // Cut off, or without storage.
  }
}

// A cache never fails an answer: without space or storage the screen shows what the network gives.

/**
 * @param {string} store
 * @param {string | Request} key
 * @returns {Promise<Response | undefined>}
 */
async function keptIn(store, key) {
  try {
    return await (await caches.open(store)).match(key, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/**
 * @param {string} store
 * @param {string | Request} key
 * @param {Response} response
 * @returns whether it is kept
 */
async function keep(store, key, response) {
  try {
    await (await caches.open(store)).put(key, response);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} store @param {Request} request */
async function drop(store, request) {
  try {
    await (await caches.open(store)).delete(request);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/**
 * The whole answer; where a kept one can stand in for it, within four seconds.
 * @param {Request} request
 * @param {Response | undefined} kept
 */
async function inTime(request, kept) {
  if (!kept) return fetch(request);
  // As in base/request.js: a classic worker cannot import modules.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_WITHIN_MS);
  try {
    const response = await fetch(request, { signal: late.signal });
    if (!response.ok) return response;
    const { status, headers } = response;
    return new Response(await response.arrayBuffer(), { status, headers });
  } finally {
    clearTimeout(timer);
  }
}
