import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Wifi } from '#kernel/settings/house.ts';
import { RANGES_SHOWN } from '#pub/devices/screen-form.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mixName } from './mix-names.ts';
import { refusalSentence } from './refusal.ts';
import { screenDrawing } from './screen-drawing.ts';
import { SCREEN_LABELS, screenFields } from './screen-fields.ts';
import { doneNotice, staffPage } from './staff-frame.ts';
import { ago, clock, SCREENS, type When } from './staff-room/words.ts';

export interface ScreensCommon extends When {
  identity: Identity | undefined;
  done: Words | string | undefined;
  /** The code of a screen that wants to be paired, as scanned or typed; undefined without the form. */
  code: string | undefined;
  refused: RefusedForm | undefined;
}

export const SCREENS_NAV = '/admin/pub/screens';
export const SCREENS_LIST = '/admin/pub/screens';
export interface ScreensProps extends ScreensCommon {
  screens: readonly ScreenJson[];
  visitors: number;
  /** What the address of the page with a code begins with. */
  origin: string;
}

/** All screens: the state of each, what it shows, and the form that pairs one. */
export function screensPage(props: ScreensProps): Html {
  const { screens, visitors, identity, done, code, refused, ...moment } = props;
  const mayManage = identity?.permissions.has('screens:manage') ?? false;
  const isPairing = mayManage && (code !== undefined || refused !== undefined || screens.length === 0);
  const pair = html`<a class="button${screens.length > 0 && ' button-quiet'}" href="${SCREENS_LIST}?code=">Pair a screen</a>`;
  const body = html`${pageHeader({ title: 'Screens', lede: 'The club’s TVs and what each shows.', actions: mayManage && !isPairing && pair })}
${doneNotice(done)}
${isPairing && pairForm(props)}
${
  screens.length === 0
    ? !isPairing && html`<p>No screen is paired yet. Somebody who may manage screens does it here.</p>`
    : html`${isPairing && html`<h2>All screens</h2>`}<ul class="action-list" role="list">${screens.map((screen) => row(screen, moment))}</ul>`
}
${
  visitors > 0 &&
  html`
<p class="small soft">${counted(visitors, 'browser')} without a name ${visitors === 1 ? 'shows' : 'show'} such a page too: visitors, whom nobody misses.</p>`
}
${disclosure(
  'A TV that forgets that it was paired',
  html`<p>Some TVs forget everything when they are switched off, and then show a code each time. Give such a TV
a name in its address instead: <code>/tv?screen=bar</code>, <code>/tv/bar-right?screen=snug</code>. It is listed as “not
paired”, and its address decides what it shows.</p>`,
)}`;
  return staffPage({
    title: 'Screens',
    body,
    nav: SCREENS_NAV,
    givesAddress: isPairing ? SCREENS_LIST : undefined,
    identity,
    head: stylesheets('pub/screens.css'),
  });
}

const NEW_SCREEN = { preset: 'everything', off: 'outside_opening' };

function pairForm({ screens, origin, code = '', refused }: ScreensProps): Html {
  const errors = refused?.errors ?? [];
  const entered = Object.entries(refused?.entered ?? {}).map(([name, value]) => [name, String(value)]);
  const values: Record<string, string> = { ...NEW_SCREEN, code, ...Object.fromEntries(entered) };
  const isCodeWrong = refused !== undefined && [404, 409, 429].includes(refused.status);
  const typed = values.code ?? '';
  const paired = screens.filter((screen) => screen.paired);
  return html`<section class="panel" aria-labelledby="pair-title"><h2 id="pair-title">Pair a screen</h2>
${
  refused &&
  html`<div role="alert">${notice('danger', refusalSentence(refused, SCREEN_LABELS), 'The screen was not paired')}</div>`
}
${
  typed === '' || isCodeWrong
    ? html`<p>On the TV open <strong class="screen-address">${spoken(origin)}/s</strong>. It shows a code of six characters. Scan its picture, or type the code here. <a href="${SCREENS_LIST}/print">These steps on paper</a></p>`
    : html`<p>Is this the code on the screen in front of you?</p>`
}
<form class="screen-form" method="post" action="${SCREENS_LIST}">
${field({
  name: 'code',
  label: 'Code on the TV',
  value: spaced(typed),
  error: isCodeWrong ? refused.message : undefined,
  maxlength: 20,
  autocomplete: 'off',
  spellcheck: false,
  autocapitalize: 'characters',
})}
${screenFields({ values, errors, ranges: RANGES_SHOWN, isPaired: true, isNew: true })}
<p class="actions"><button class="button">Pair this screen</button></p></form>
${
  paired.length > 0 &&
  html`<p class="small">Does this TV take the place of another? Choose which:</p><ul class="screen-places" role="list">${paired.map(
    ({ id, name }) =>
      html`<li><a href="${SCREENS_LIST}/${id}?code=${encodeURIComponent(typed)}#pair-again">${name}</a></li>`,
  )}</ul>`
}</section>`;
}

/** How a TV is paired, on paper: for the wall beside it, or for whoever stands on the ladder. */
export function pairingSheet({ origin, identity }: Pick<ScreensProps, 'origin' | 'identity'>): Html {
  const address = (path: string) => html`<strong class="screen-address">${spoken(origin)}${path}</strong>`;
  const body = html`${pageHeader({ title: 'Pair a TV' })}
<p class="screen-only small soft">Print this page with the print command of the browser.</p>
<ol class="screen-steps"><li>Open this address in the browser of the TV:<br>${address('/s')}</li>
<li>The TV shows a code and a QR code. Scan the QR code with a phone, or open this page, and sign in:<br>${address(SCREENS_LIST)}</li>
<li>Enter the code, say what the TV is called and shows, and press “Pair this screen”. The TV shows its page within
six seconds.</li></ol>
<p class="screen-only"><a class="button button-quiet" href="${SCREENS_LIST}">All screens</a></p>`;
  return staffPage({
    title: 'Pair a TV',
    body,
    nav: SCREENS_NAV,
    givesAddress: `${SCREENS_LIST}/print`,
    identity,
    head: stylesheets('pub/screens.css'),
  });
}

/** The Wi-Fi for guests on paper: its name, the password where it may be shown, and a code that phones scan. */
export function wifiSheet({
  wifi,
  qr,
  identity,
}: {
  wifi: Wifi | undefined;
  qr: QrModules | undefined;
  identity: Identity | undefined;
}): Html {
  const body = html`${pageHeader({ title: 'Wi-Fi for guests' })}
<p class="screen-only small soft">${
    wifi
      ? 'Print this page with the print command of the browser.'
      : html`Nothing is to be shown: an owner enters and ticks it under Settings, The house.`
  }</p>
${
  wifi &&
  html`<p>Name: <strong class="screen-address">${wifi.name}</strong></p>${
    wifi.password !== null && html`<p>Password: <strong class="screen-address">${wifi.password}</strong></p>`
  }${qr && html`<div class="settings-qr">${qrCode(qr, 'QR code that joins the Wi-Fi')}</div><p>Scan it with the camera of your phone.</p>`}`
}`;
  return staffPage({
    title: 'Wi-Fi for guests',
    body,
    nav: SCREENS_NAV,
    identity,
    head: stylesheets('content'),
  });
}

/** An address without its scheme, as people type it. */
const spoken = (origin: string): string => origin.replace(/^https?:\/\//, '');

/** `K7P-4MQ`, as the screen shows it. */
export const spaced = (code: string): string => code.replace(/^(\w{3})(\w{3})$/, '$1-$2');

function row(screen: ScreenJson, moment: When): Html {
  const { id, name, page, place, groups, showing, online, openTwice, state, offlineSince } = screen;
  const where = [
    place || null,
    SCREENS[page],
    page === 'tv' && screen.preset !== 'everything' ? mixName(screen.preset) : null,
    groups.length > 0 ? `in ${groups.join(', ')}` : null,
    screen.paired ? null : 'not paired',
  ].filter((part) => part !== null);
  return html`<li class="screen-row">${screenDrawing(screen)}<p><strong><a href="${SCREENS_LIST}/${id}">${name}</a></strong> ${state !== 'running' || offlineSince !== null ? stateBadge(screen) : ''}${openTwice && html` ${badge('Open twice', 'danger')}`}<br>
<span class="soft small">${where.join(', ')}. ${online && showing && html`Shows: ${showing}. `}${stateWords(screen, moment)}${troubleWords(screen)}</span></p></li>\n`;
}

const BADGES: Readonly<Record<ScreenJson['state'], [string, ('open' | 'scheduled' | 'danger')?]>> = {
  'waiting for pairing': ['Waiting for pairing', 'scheduled'],
  running: ['On', 'open'],
  late: ['Late', 'scheduled'],
  'off as expected': ['Off as expected'],
  missing: ['Missing', 'danger'],
  'old program': ['Old version', 'scheduled'],
  'clock wrong': ['Clock wrong', 'danger'],
};

/** The state of a screen in a word or three. */
export function stateBadge({ state, online, offlineSince }: ScreenJson): Html {
  return online && offlineSince !== null ? badge('Cut off', 'danger') : badge(...BADGES[state]);
}

/** The state of a screen in a sentence; empty if all is well. */
export function stateWords(screen: ScreenJson, moment: When): string {
  const { state, current, lastSeenAt, offlineSince, online } = screen;
  if (online && offlineSince !== null) return `Cut off since ${clock(offlineSince, moment)}.`;
  const seen = `Last seen ${ago(lastSeenAt, moment)}.`;
  switch (state) {
    case 'waiting for pairing':
      return 'No TV has taken its code yet.';
    case 'off as expected':
      return `Off: expected, ${screen.off_hours === 'outside_opening' ? 'the pub is closed' : 'by its times'}. ${seen}`;
    case 'late':
    case 'missing':
      return seen;
    case 'clock wrong':
      return 'Set the clock of the TV: it is more than two minutes wrong. Times on the screen are right.';
    default:
      return current ? '' : 'About to load the new version.';
  }
}

/** What needs a look beside its state. */
export function troubleWords({ failedPictures = 0, openTwice, unknownZone }: ScreenJson): string {
  return [
    failedPictures > 0 && ` ${counted(failedPictures, 'picture')} did not come.`,
    unknownZone &&
      ' Its browser does not know the time zone; the times on the screen are right all the same.',
    openTwice && ' Two browsers are this screen: pair it again to end one.',
  ]
    .filter(Boolean)
    .join('');
}
