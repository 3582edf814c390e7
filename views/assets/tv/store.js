// What a screen stores for its next start. Without storage it starts without them.

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`tv:${name}`, JSON.stringify(value));
  } catch {
    // Full, or not allowed here.
  }
}

/**
 * @param {string} name
 * @returns {any} what was kept, or undefined
 */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`tv:${name}`) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
