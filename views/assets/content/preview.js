// Fits a slide into its place as the main screen does, and says where its words are cut.
import { fillSlide } from '../tv/slide.js';

const node = /** @type {HTMLElement} */ (document.querySelector('article[data-slide]'));
const note = /** @type {HTMLElement} */ (document.querySelector('[data-note]'));
const body = /** @type {HTMLElement} */ (node.querySelector('[data-part=body]'));

async function show() {
  // Texts are measured to fit, which needs their fonts.
  await document.fonts.ready;
  await fillSlide(node, JSON.parse(document.body.dataset.slide ?? '{}'));
  const lines = body.style.getPropertyValue('-webkit-line-clamp');
  note.textContent =
    lines === '' ? '' : `The text is cut after ${lines === '1' ? 'one line' : `${lines} lines`}.`;
  note.hidden = lines === '';
}

void show();
