// Counts down the time until a refused page can be loaded again.
import { countDown } from './count-down.js';
import { t } from './texts.js';

const about = document.querySelector('[data-retry-after]');
const words = about?.querySelector('strong');
if (about instanceof HTMLElement && words) {
  countDown(Number(about.dataset.retryAfter), (left) => {
    if (left === 0) about.textContent = t('errors.page.retry_now');
    else if (left < 90) words.textContent = t('errors.page.wait_seconds', { seconds: left });
  });
}
