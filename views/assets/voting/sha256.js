/**
 * The SHA-256 of a text in lower-case hex. Browsers offer it only to pages over HTTPS.
 * @param {string} text
 */
export async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
