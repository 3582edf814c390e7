// Stores the pictures of slides before they are shown, QR codes first: a screen that loses its network soon after its
// start still has them.

import { timeout } from '../base/request.js';

/** The cache of tv/worker.js. */
const PICTURES = 'tv-pictures';
/** A picture that takes longer does not hold up the others. */
const ANSWER_WITHIN_MS = 30_000;
/** @type {Set<string>} Addresses that were stored or are being stored. */
const known = new Set();

/**
 * Stores what is not stored yet, one picture after the other.
 * @param {readonly { imageUrl?: string | undefined, qrImageUrl?: string | undefined }[]} slides
 */
export async function keepPictures(slides) {
  // Browsers offer caches only over HTTPS and on localhost.
  if (!('caches' in window)) return;
  const urls = [...slides.map(({ qrImageUrl }) => qrImageUrl), ...slides.map(({ imageUrl }) => imageUrl)];
  const missing = [...new Set(urls)].filter((url) => url && !known.has(url));
  for (const url of missing) if (url) known.add(url);
  for (const url of missing) {
    if (!url) continue;
    try {
      if (await isKept(url)) continue;
      const response = await fetch(url, { signal: timeout(ANSWER_WITHIN_MS) });
      // Always read the body: an unread one would keep its connection.
      const bytes = await response.blob();
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      await keepOne(url, new Response(bytes, { headers: response.headers }));
    } catch {
      // Retried with the next feed.
      known.delete(url);
    }
  }
}

/** @param {string} url */
async function isKept(url) {
  try {
    return (await (await caches.open(PICTURES)).match(url)) !== undefined;
  } catch {
    return false;
  }
}

/** What is not stored for want of space is not asked for again. @param {string} url @param {Response} response */
async function keepOne(url, response) {
  try {
    await (await caches.open(PICTURES)).put(url, response);
  } catch {
    // The worker keeps it in place of an older one when it is shown.
  }
}
