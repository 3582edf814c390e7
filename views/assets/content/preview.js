// Renders a slide as the main screen does, and says if its text is divided into several parts.
import { t } from '../base/texts.js';
import { fontsLoaded } from '../tv/fit.js';
import { fillSlide, withCrew } from '../tv/slide.js';

const node = /** @type {HTMLElement} */ (document.querySelector('article[data-slide]'));
const note = /** @type {HTMLElement} */ (document.querySelector('[data-note]'));

async function show() {
  await fontsLoaded();
  const [slide] = withCrew([JSON.parse(document.body.dataset.slide ?? '{}')]);
  const { part } = slide ? await fillSlide(node, slide) : {};
  const pages = part?.pages ?? 1;
  note.textContent = pages > 1 ? t('content-admin.preview.parts', { n: pages }) : '';
  note.hidden = pages < 2;
}

void show();
