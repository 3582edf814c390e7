// Updates the statuses of today's events while the page is open.
import { eventStatus } from '../../../src/pub/display/shared/event-status.js';

const EVERY_MS = 20_000;
const programme = document.querySelector('[data-programme]');

if (programme instanceof HTMLElement) {
  const next = Number(programme.dataset.next);
  const events = [...programme.querySelectorAll('[data-event]')].filter(
    (event) => event instanceof HTMLElement,
  );
  const show = () => {
    for (const event of events) {
      const { start = '', end = '' } = event.dataset;
      const status = eventStatus(start, end, Date.now(), next);
      for (const sign of event.querySelectorAll('[data-status]'))
        sign.toggleAttribute('hidden', sign.getAttribute('data-status') !== status);
    }
  };
  setInterval(show, EVERY_MS);
  document.addEventListener('visibilitychange', show);
}
