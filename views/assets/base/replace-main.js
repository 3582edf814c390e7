// Shows the content of another page in this one, without a page load.

/** @param {string} text */
export function parsePage(text) {
  return new DOMParser().parseFromString(text, 'text/html');
}

/**
 * Replaces <main> and the title with those of another page. Modules that set up elements of the content
 * listen for `main-replaced`.
 * @param {Document} next
 * @returns {HTMLElement | null} the new main; null if the other page has none, and then nothing has changed
 */
export function replaceMain(next) {
  const main = next.querySelector('main');
  if (!main) return null;
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = next.title;
  document.dispatchEvent(new Event('main-replaced'));
  return main;
}

/**
 * Moves the focus without scrolling, to an element that need not be focusable.
 * @param {Element | null | undefined} element
 */
export function moveFocus(element) {
  if (!(element instanceof HTMLElement)) return;
  if (!element.matches('input, select, textarea, button, a, [tabindex]')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
