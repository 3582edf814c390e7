// The main screen: follows the feed, works out each second what to show, and writes what has changed.
import { notBefore, now, onSecond, setText } from '../playing/clock.js';
import { openStream } from '../playing/stream.js';
import { follow } from './feed.js';
import { contact, offlineSince, setStale, startLife } from './lifecycle.js';
import { screenModel } from './model.js';
import { dim, screenName } from './screen.js';
import { watchShowing } from './showing.js';
import { slideshow } from './slides.js';
import { watchTakeover } from './takeover.js';

const EVERY_MS = 60_000;
/** The content of the feed may be this old before the screen says so. */
const STALE_MS = 10 * 60_000;

const { zone = 'UTC', club = '' } = document.body.dataset;
const stage = /** @type {HTMLElement} */ (document.querySelector('[data-stage]'));
const show = slideshow(stage);

/** @type {import('./model.js').Feed | undefined} */
let feed;
/** When the feed was stored, by the server's clock. */
let keptAt = 0;
/** When it was received, by the page's own clock: the server's time may not be known yet. */
let heardAt = Number.NaN;
/** When the workspace gave what is in the feed, and whether the service knows that to be old. */
let updated = 0;
let stale = false;
/** The programme as it was last drawn. */
let drawn = '';

startLife({ moment: show.boundary, report: () => ({ failedPictures: show.failedPictures() }) });
follow('/api/events', { every: EVERY_MS, keepAs: 'events', on: take });
onSecond(draw);
const screen = watchShowing();
const { opened, take: takeover, complete } = watchTakeover();
openStream({
  on: {
    takeover,
    screen,
    ping() {
      contact();
      complete();
    },
  },
  opened,
});
// Texts are measured to fit, which needs their fonts.
void document.fonts.ready.then(show.run);

/**
 * @param {import('./model.js').Feed & { lastUpdated: string, stale?: boolean }} answer
 * @param {{ at: number, heard: boolean }} from
 */
function take(answer, { at, heard }) {
  if (!heard && feed) return;
  feed = answer;
  updated = Date.parse(answer.lastUpdated);
  stale = answer.stale === true;
  notBefore(heard ? updated : at);
  if (heard) {
    heardAt = performance.now();
    contact();
  } else keptAt = at;
  draw();
}

function draw() {
  if (!feed) return;
  const age = performance.now() - heardAt;
  const readAt = Number.isNaN(age) ? keptAt : now() - age;
  const fresh = age < STALE_MS && offlineSince() === undefined;
  const model = screenModel(feed, now(), { zone, readAt, fresh, screen: screenName, club });
  setStale(stale && now() - updated > STALE_MS ? updated : undefined);
  dim(model.closed);
  drawProgramme(model);
  const { title, hours, note, who } = model.pub;
  put('pub', hours);
  put('pub-title', title);
  put('pub-hours', hours);
  put('pub-note', hours && note);
  put('who', who);
  put('who-names', who);
  show.set(model.slides, model.welcome);
}

/** @param {ReturnType<typeof screenModel>} model */
function drawProgramme({ today, coming, more, nothing }) {
  const next = JSON.stringify([today, coming, more, nothing]);
  if (next === drawn) return;
  drawn = next;
  put('nothing', nothing);
  put('more', more > 0 ? `and ${more} more` : '');
  drawRows('today', today);
  const day = /** @type {HTMLElement} */ (document.querySelector('[data-day]'));
  day.toggleAttribute('data-tight', false);
  day.hidden = today.length + coming.length === 0;
  // Of the days to come only what fits; then today's titles become smaller.
  for (let rows = coming.length; rows >= 0; rows--) {
    put('coming', rows > 0 ? 'Coming up' : '');
    drawRows('coming', coming.slice(0, rows));
    if (day.scrollHeight <= day.clientHeight) return;
  }
  day.toggleAttribute('data-tight', true);
}

/**
 * @param {string} list
 * @param {import('./model.js').Row[]} rows
 */
function drawRows(list, rows) {
  const place = /** @type {HTMLElement} */ (document.querySelector(`[data-rows=${list}]`));
  place.dataset.count = String(rows.length);
  for (const [index, line] of [...place.children].entries()) {
    const row = rows[index];
    if (!(line instanceof HTMLElement)) continue;
    line.hidden = row === undefined;
    if (!row) continue;
    line.dataset.status = row.status;
    line.toggleAttribute('data-lead', row.lead);
    const [when, status, title, note] = line.querySelectorAll('span > span');
    if (!when || !status || !title || !note) continue;
    setText(when, row.when);
    setText(status, row.status === 'Later' ? '' : row.status);
    setText(title, row.title);
    setText(note, row.note);
  }
}

/**
 * Writes into a named place; an empty text hides it.
 * @param {string} name
 * @param {string} text
 */
function put(name, text) {
  const place = document.querySelector(`[data-show=${name}]`);
  if (!(place instanceof HTMLElement)) return;
  place.hidden = text === '';
  if (place.children.length === 0) setText(place, text);
}
