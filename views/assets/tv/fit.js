// Fits texts by measuring them: once their fonts are loaded, and again whenever the screen is resized.

const FACES = ['600 1em Fraunces', '400 1em Inter', '600 1em Inter'];

/**
 * Calls `listener` once the fonts are loaded, and whenever what it measured in `box` may have changed.
 * @param {HTMLElement} box whose size does not depend on what the listener writes
 * @param {() => void} listener
 */
export function onLayout(box, listener) {
  // More faces load with the first letter of another script.
  document.fonts.addEventListener('loadingdone', listener);
  new ResizeObserver(listener).observe(box);
  void fontsLoaded().then(listener);
}

/** Waits for the fonts; one that fails to load is replaced by a fallback. */
export async function fontsLoaded() {
  await Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
}

/**
 * Makes the words in a box smaller, by its `--fit`, until they fit. @returns whether they do
 * @param {HTMLElement} box
 * @param {readonly number[]} sizes parts of the full size, the largest first
 */
export function shrink(box, sizes) {
  for (const size of sizes) {
    box.style.setProperty('--fit', String(size));
    if (fits(box)) return true;
  }
  return false;
}

/** @param {HTMLElement} box */
export function fits(box) {
  return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
}
