// Stores values for a screen's next start. Without storage it starts without them.

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`tv:${name}`, JSON.stringify(value));
  } catch {
    // Full or not allowed.
  }
}

/**
 * @param {string} name
 * @returns {any} the stored value, if any
 */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`tv:${name}`) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
