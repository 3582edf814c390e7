import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { commas, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Wifi } from '#kernel/settings/house.ts';
import { RANGES_SHOWN } from '#pub/devices/screen-form.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { inClubLanguage } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mixName } from './mix-names.ts';
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
  const pair = html`<a class="button${screens.length > 0 && ' button-quiet'}" href="${SCREENS_LIST}?code=">${t('pub-staff.staff_screens.pair_screen')}</a>`;
  const body = html`${pageHeader({ title: t('pub-staff.staff_screens.screens'), lede: t('pub-staff.staff_screens.clubs_tvs_what_each_shows'), actions: mayManage && !isPairing && pair })}
${doneNotice(done)}
${isPairing && pairForm(props)}
${
  screens.length === 0
    ? !isPairing && html`<p>${t('pub-staff.staff_screens.screen_paired_yet_somebody_who')}</p>`
    : html`${isPairing && html`<h2>${t('pub-staff.staff_screens.all_screens')}</h2>`}<ul class="action-list" role="list">${screens.map((screen) => row(screen, moment))}</ul>`
}
${
  visitors > 0 &&
  html`
<p class="small soft">${t('pub-staff.staff_screens.browsers_without_name_show_such', { visitors })}</p>`
}
${disclosure(
  t('pub-staff.staff_screens.tv_forgets_paired'),
  html`<p>${t('pub-staff.staff_screens.some_tvs_forget_everything_when', { code: (inside) => html`<code>${inside}</code>` })}</p>`,
)}`;
  return staffPage({
    title: t('pub-staff.staff_screens.screens'),
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
  return html`<section class="panel" aria-labelledby="pair-title"><h2 id="pair-title">${t('pub-staff.staff_screens.pair_screen')}</h2>
${
  refused &&
  html`<div role="alert">${notice('danger', refusalSentence(refused, SCREEN_LABELS), t('pub-staff.staff_screens.screen_paired'))}</div>`
}
${
  typed === '' || isCodeWrong
    ? html`<p>${t('pub-staff.staff_screens.tv_open_s_shows_code', { strong: (inside) => html`<strong class="screen-address">${inside}</strong>`, origin: spoken(origin), link: (inside) => html`<a href="${SCREENS_LIST}/print">${inside}</a>` })}</p>`
    : html`<p>${t('pub-staff.staff_screens.code_screen_front')}</p>`
}
<form class="screen-form" method="post" action="${SCREENS_LIST}">
${field({
  name: 'code',
  label: t('pub-staff.staff_screens.code_tv'),
  value: spaced(typed),
  error: isCodeWrong ? refused.message : undefined,
  maxlength: 20,
  autocomplete: 'off',
  spellcheck: false,
  autocapitalize: 'characters',
})}
${screenFields({ values, errors, ranges: RANGES_SHOWN, isPaired: true, isNew: true })}
<p class="actions"><button class="button">${t('pub-staff.staff_screens.pair_this_screen')}</button></p></form>
${
  paired.length > 0 &&
  html`<p class="small">${t('pub-staff.staff_screens.tv_take_place_another_choose')}</p><ul class="screen-places" role="list">${paired.map(
    ({ id, name }) =>
      html`<li><a href="${SCREENS_LIST}/${id}?code=${encodeURIComponent(typed)}#pair-again">${name}</a></li>`,
  )}</ul>`
}</section>`;
}

/** How a TV is paired, on paper: for the wall beside it, or for whoever stands on the ladder. */
export function pairingSheet({ origin, identity }: Pick<ScreensProps, 'origin' | 'identity'>): Html {
  const address = (path: string) => html`<strong class="screen-address">${spoken(origin)}${path}</strong>`;
  const body = html`<p class="screen-only small soft">${t('pub-staff.staff_screens.print_page_print_command_browser')}</p>
${inClubLanguage(
  (lang) => html`<div${lang}>${pageHeader({ title: t('pub.pairing_sheet.title') })}
<ol class="screen-steps"><li>${t('pub.pairing_sheet.open_address')}<br>${address('/s')}</li>
<li>${t('pub.pairing_sheet.scan_code')}<br>${address(SCREENS_LIST)}</li>
<li>${t('pub.pairing_sheet.enter_code')}</li></ol></div>`,
)}
<p class="screen-only"><a class="button button-quiet" href="${SCREENS_LIST}">${t('pub-staff.staff_screens.all_screens')}</a></p>`;
  return staffPage({
    title: t('pub.pairing_sheet.title'),
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
  const strong = (text: string) => html`<strong class="screen-address">${text}</strong>`;
  const body = html`<p class="screen-only small soft">${
    wifi
      ? t('pub-staff.staff_screens.print_page_print_command_browser')
      : t('pub-staff.staff_screens.nothing_shown_owner_enters_ticks')
  }</p>
${inClubLanguage(
  (lang) => html`<div${lang}>${pageHeader({ title: t('pub.wifi.title') })}
${
  wifi &&
  html`<p>${t('pub.wifi.name', { name: strong(wifi.name) })}</p>${
    wifi.password !== null && html`<p>${t('pub.wifi.password', { password: strong(wifi.password) })}</p>`
  }${qr && html`<div class="settings-qr">${qrCode(qr, t('pub.wifi.qr_code'))}</div><p>${t('pub.wifi.scan')}</p>`}`
}</div>`,
)}`;
  return staffPage({
    title: t('pub.wifi.title'),
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
    groups.length > 0 ? t('pub-staff.staff_screens.in_groups', { groups: groups.join(', ') }) : null,
    screen.paired ? null : t('pub-staff.staff_screens.not_paired'),
  ].filter((part) => part !== null);
  return html`<li class="screen-row">${screenDrawing(screen)}<p><strong><a href="${SCREENS_LIST}/${id}">${name}</a></strong> ${state !== 'running' || offlineSince !== null ? stateBadge(screen) : ''}${openTwice && html` ${badge(t('pub-staff.staff_screens.open_twice'), 'danger')}`}<br>
<span class="soft small">${sentences([
    t('pub-staff.staff_screens.facts', { facts: commas(where) ?? '' }),
    online && showing && t('pub-staff.staff_screens.shows', { showing }),
    stateWords(screen, moment),
    ...troubleWords(screen),
  ])}</span></p></li>\n`;
}

const BADGES: Readonly<Record<ScreenJson['state'], [Words, ('open' | 'scheduled' | 'danger')?]>> = {
  'waiting for pairing': [t('pub-staff.staff_screens.waiting_pairing'), 'scheduled'],
  running: [t('pub-staff.staff_screens.on'), 'open'],
  late: [t('pub-staff.staff_screens.late'), 'scheduled'],
  'off as expected': [t('pub-staff.staff_screens.off_expected')],
  missing: [t('pub-staff.staff_screens.missing'), 'danger'],
  'old program': [t('pub-staff.staff_screens.old_version'), 'scheduled'],
  'clock wrong': [t('pub-staff.staff_screens.clock_wrong'), 'danger'],
};

/** The state of a screen in a word or three. */
export function stateBadge({ state, online, offlineSince }: ScreenJson): Html {
  return online && offlineSince !== null
    ? badge(t('pub-staff.staff_screens.cut_off'), 'danger')
    : badge(...BADGES[state]);
}

/** The state of a screen in sentences; undefined if all is well. */
export function stateWords(screen: ScreenJson, moment: When): Words | undefined {
  const { state, current, lastSeenAt, offlineSince, online } = screen;
  if (online && offlineSince !== null)
    return t('pub-staff.staff_screens.cut_off_since', { time: clock(offlineSince, moment) });
  const seen = t('pub-staff.staff_screens.last_seen', { ago: ago(lastSeenAt, moment) });
  switch (state) {
    case 'waiting for pairing':
      return t('pub-staff.staff_screens.tv_taken_code_yet');
    case 'off as expected':
      return sentences([
        screen.off_hours === 'outside_opening'
          ? t('pub-staff.staff_screens.off_expected_pub_closed')
          : t('pub-staff.staff_screens.off_expected_times'),
        seen,
      ]);
    case 'late':
    case 'missing':
      return seen;
    case 'clock wrong':
      return t('pub-staff.staff_screens.set_clock_tv_more_two');
    default:
      return current ? undefined : t('pub-staff.staff_screens.about_load_new_version');
  }
}

/** What needs a look beside its state. */
export function troubleWords({ failedPictures = 0, openTwice, unknownZone }: ScreenJson): (Words | false)[] {
  return [
    failedPictures > 0 && t('pub-staff.staff_screens.pictures_come', { pictures: failedPictures }),
    unknownZone === true && t('pub-staff.staff_screens.unknown_zone'),
    openTwice && t('pub-staff.staff_screens.open_twice_pair_again'),
  ];
}
