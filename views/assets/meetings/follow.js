// Follows a meeting: shows what the chair does without a page load, by the stream or, while that fails, by polling.
// A page has parts, which are replaced one by one: what somebody fills in stays. One without parts is replaced as a whole.
import { complain, moveFocus, parsePage, released, replaceMain, updateMain } from '../base/replace-main.js';
import { markupOf, timeout } from '../base/request.js';
import { t } from '../base/texts.js';
import { openStream } from '../playing/stream.js';

const POLL_MS = 3_000;
const PATIENCE_MS = 10_000;
/** The seconds before the end of a timer at which a screen reader hears of it. */
const SAID_AT = [10, 30, 60];

let isConnected = true;
let busy = false;
let again = false;
/** Whether a change waits until nobody types any more. */
let isBehind = false;

/** What this page says of the meeting; it is another element once the page was replaced. */
function root() {
  const found = document.querySelector('[data-follow]');
  return found instanceof HTMLElement ? found : undefined;
}

async function refresh() {
  const shown = root();
  const hasParts = document.querySelector('[data-part]') !== null;
  if (!shown) return;
  const mayShow = () => {
    isBehind = !hasParts && isTyping();
    return !isBehind;
  };
  if (!mayShow() && isConnected) return;
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    const response = await fetch(shown.dataset.page ?? location.href.split('#')[0] ?? '', {
      headers: { Accept: 'text/html' },
      signal: timeout(PATIENCE_MS),
    });
    const next = parsePage(await response.text());
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    await released();
    complain();
    // Meanwhile the ballot may have been cast, or somebody has begun to type.
    if (shown === root() && mayShow()) show(next, hasParts);
  } catch {
    // The next event or poll tries again.
    complain(t('meetings.follow.away'));
  }
  busy = false;
  if (again) {
    again = false;
    void refresh();
  }
}

/**
 * @param {Document} next
 * @param {boolean} hasParts
 */
function show(next, hasParts) {
  const from = next.querySelector('[data-follow]');
  const to = root();
  const { recorded, safe } = to?.dataset ?? {};
  if (!hasParts || !to || !(from instanceof HTMLElement)) {
    // A code that is shown only now stays, also once the meeting is over.
    if (recorded === undefined || safe !== undefined) replaceWhole(next);
    return;
  }
  const isBusy = [...document.querySelectorAll('[data-part]')].some(isFilledIn);
  // Another card is used on this phone, or this one has become void.
  if (to.dataset.card !== undefined && to.dataset.card !== from.dataset.card && !isBusy)
    return replaceWhole(next);
  const ballots = questionsOf(partOf(next, 'ballot'));
  if (recorded !== undefined && ballots.some((id) => !recorded.split(' ').includes(id))) {
    const card = document.querySelector('[data-codes]')?.getAttribute('data-codes-of');
    if (safe !== undefined && card === from.dataset.card) return goOn(next);
    document.querySelector('[data-next]')?.removeAttribute('hidden');
  }
  const voting = to.dataset.voting?.split(' ');
  // The page of a ballot is left once none of its questions takes one any more.
  if (voting && !voting.some((id) => ballots.includes(id))) {
    const isSending = document.querySelector('form[data-cast] button')?.hasAttribute('disabled');
    if (!isSending) location.replace(to.dataset.page ?? '/');
    return;
  }
  // The page after a cast says itself that another vote is open.
  for (const part of document.querySelectorAll('[data-part]'))
    if (part instanceof HTMLElement && (recorded === undefined || ballots.length === 0))
      replacePart(part, partOf(next, part.dataset.part ?? ''), isBusy);
  to.dataset.version = from.dataset.version ?? '';
  document.dispatchEvent(new Event('main-replaced'));
}

/** The page after a cast becomes that of the next ballot. @param {Document} next */
function goOn(next) {
  const heading = replaceMain(next)?.querySelector('[data-part="ballot"] h2');
  heading?.scrollIntoView({ block: 'nearest' });
  moveFocus(heading);
}

/** Whoever uses the keyboard stays at the same button or link. @param {Document} next */
function replaceWhole(next) {
  const at = nameOf(document.activeElement);
  updateMain(next);
  if (!at) return;
  for (const other of document.querySelectorAll('main :is(a, button, input, select, summary)'))
    if (nameOf(other) === at) return moveFocus(other);
}

/** @param {Element | null} element */
function nameOf(element) {
  if (!element?.closest('main')?.contains(element) || element.matches('main')) return undefined;
  const { id, localName } = element;
  const to = element.getAttribute('href') ?? element.closest('form')?.getAttribute('action');
  return [localName, id, to, element.getAttribute('name'), element.textContent].join('|');
}

/**
 * @param {HTMLElement} own
 * @param {HTMLElement | undefined} next
 * @param {boolean} isBusy
 */
function replacePart(own, next, isBusy) {
  if (!next) return;
  const [before, after] = [questionsOf(own), questionsOf(next)];
  if (before.length > 0) {
    const isSame = before.join() === after.join();
    if (isSame || (isFilledIn(own) && before.some((id) => after.includes(id)))) {
      const isMore = after.some((id) => !before.includes(id));
      own.querySelector('[data-more]')?.toggleAttribute('hidden', !isMore);
      return;
    }
  } else if (isFilledIn(own) && next.querySelector('form')) return;
  if (markupOf(own) === markupOf(next)) return;
  if (before.length > 0) tellUncast(own);
  own.replaceChildren(...document.adoptNode(next).childNodes);
  if (next.dataset.questions === undefined) delete own.dataset.questions;
  else own.dataset.questions = next.dataset.questions;
  if (before.length === 0 && after.length > 0 && !isBusy) own.scrollIntoView({ block: 'nearest' });
}

/**
 * Says that time has run out on what somebody has marked; it stays until they vote again. What is being sent says itself
 * what became of it.
 * @param {HTMLElement} ballot
 */
function tellUncast(ballot) {
  document.querySelector('[data-uncast]')?.remove();
  if (!isFilledIn(ballot) || ballot.querySelector('form button[disabled]')) return;
  const said = document.createElement('p');
  said.dataset.uncast = '';
  said.className = 'notice notice-attention';
  said.setAttribute('role', 'alert');
  said.textContent = t('meetings.follow.uncast');
  ballot.before(said);
}

/**
 * @param {Document} page
 * @param {string} name
 */
function partOf(page, name) {
  const found = page.querySelector(`[data-part="${name}"]`);
  return found instanceof HTMLElement ? found : undefined;
}

/** The questions of a ballot. @param {HTMLElement | undefined} part */
function questionsOf(part) {
  return part?.dataset.questions?.split(' ') ?? [];
}

/** Whether somebody has begun to fill in a form of a part. @param {Element} part */
function isFilledIn(part) {
  return [...part.querySelectorAll('input, textarea, option')].some((field) => {
    if (field instanceof HTMLOptionElement) return field.selected !== isPreset(field);
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
    return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  });
}

/** Whether an option is chosen at first: without a chosen one the first is. @param {HTMLOptionElement} option */
function isPreset(option) {
  if (option.defaultSelected) return true;
  const select = option.closest('select');
  if (!select || select.multiple || select.options[0] !== option) return false;
  return ![...select.options].some((other) => other.defaultSelected);
}

/** Whoever types, or has opened a form, is not disturbed. */
function isTyping() {
  const { activeElement } = document;
  return (
    (activeElement instanceof HTMLInputElement && activeElement.value !== '') ||
    activeElement instanceof HTMLTextAreaElement ||
    document.querySelector('main details[open] form') !== null
  );
}

/** Rankings need their script, which most votes do not: it is beside that of this page, unless it is in it. */
function prepareRankings() {
  const own = document.querySelector('script[src*="meetings.follow"]');
  const isThere = document.querySelector('script[src*="voting.ranking"]') !== null;
  if (!(own instanceof HTMLScriptElement) || isThere || !document.querySelector('[data-ranking]')) return;
  const script = document.createElement('script');
  script.type = 'module';
  script.src = own.src.replace(/[^/]+$/, 'voting.ranking.js');
  document.head.append(script);
}
document.addEventListener('main-replaced', prepareRankings);
prepareRankings();
// A page after a cast says nothing of the meeting yet.
document.addEventListener('main-replaced', () => {
  if (root()?.dataset.version === '') void refresh();
});

let isPresent = false;

/** A member elsewhere counts as present from the page that is shown: when the meeting begins, and after a break. */
async function comeHere() {
  const address = root()?.dataset.here;
  if (!address || isPresent || document.visibilityState !== 'visible') return;
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { accept: 'application/json' },
      signal: timeout(PATIENCE_MS),
    });
    isPresent = answer.ok;
  } catch {
    // It is tried again with the next news.
  }
}
document.addEventListener('visibilitychange', () => {
  isPresent = false;
  void comeHere();
});

openStream({
  url: root()?.dataset.follow ?? '',
  on: {
    meeting(/** @type {import('#meetings/room/room.ts').RoomJson} */ room) {
      if (room.meeting.state === 'running') void comeHere();
      for (const place of document.querySelectorAll('[data-present]'))
        place.textContent = String(room.present);
      const version = root()?.dataset.version;
      // The page of the chair shows how many have voted too.
      if (version === undefined || version !== room.version) void refresh();
    },
  },
  changed({ connected }) {
    isConnected = connected;
    // A link that was replaced, or a break, is a new presence.
    if (!connected) isPresent = false;
    if (connected) complain();
  },
});
setInterval(() => {
  if (isBehind || !isConnected) void refresh();
}, POLL_MS);

/** When each timer was first seen. @type {WeakMap<Element, number>} */
const seen = new WeakMap();

const spoken = document.createElement('p');
spoken.className = 'visually-hidden';
spoken.setAttribute('role', 'status');
document.body.append(spoken);
/** The last of these moments that was said. @type {number | undefined} */
let saidAt;

/** A timer is outside of what is read out as it changes, so that it is not read each second. @param {number} seconds */
function speak(seconds) {
  const at = SAID_AT.find((one) => seconds <= one);
  if (at === saidAt) return;
  saidAt = at;
  spoken.textContent = at === undefined ? '' : t('meetings.follow.closes_in', { n: seconds });
}

// Counts down without asking the service.
setInterval(() => {
  let soonest = Number.POSITIVE_INFINITY;
  for (const part of document.querySelectorAll('[data-left]')) {
    const since = seen.get(part) ?? Date.now();
    seen.set(part, since);
    const left = Number(part.getAttribute('data-left')) - (Date.now() - since);
    const seconds = Math.max(0, Math.ceil(left / 1_000));
    part.textContent =
      seconds <= 90
        ? t('meetings.wall.seconds', { n: seconds })
        : t('meetings.wall.minutes', { n: Math.ceil(seconds / 60) });
    soonest = Math.min(soonest, seconds);
  }
  speak(soonest);
}, 250);
