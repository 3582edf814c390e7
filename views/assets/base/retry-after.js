// Counts down the time until a refused page can be loaded again.
import { countDown } from './count-down.js';

const about = document.querySelector('[data-retry-after]');
const words = about?.querySelector('strong');
if (about instanceof HTMLElement && words) {
  countDown(Number(about.dataset.retryAfter), (left) => {
    if (left === 0) about.textContent = 'You can try again now: load this page again.';
    else if (left < 90) words.textContent = left === 1 ? 'a second' : `${left} seconds`;
  });
}
