import { isoTime } from '#kernel/clock.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { localDate, parseTimestamp, timeInWords } from '#kernel/local-time.ts';
import { rangesShown } from '#pub/devices/screen-form.ts';
import { PAGE_ADDRESSES, type ScreenJson } from '#pub/devices/screens.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { nowMixName } from './mix-names.ts';
import { refusalSentence } from './refusal.ts';
import { SCREEN_LABELS, screenFields } from './screen-fields.ts';
import { MIX_LABELS, mixPanel, type OfferedPicture, type OfferedSection } from './screen-mix.ts';
import { doneNotice, staffPage } from './staff-frame.ts';
import { ago, clock, SCREENS } from './staff-room/words.ts';
import {
  SCREENS_LIST,
  SCREENS_NAV,
  type ScreensCommon,
  spaced,
  stateBadge,
  stateWords,
  troubleWords,
} from './staff-screens.ts';

export interface ScreenPageProps extends ScreensCommon {
  screen: ScreenJson;
  /** What staff decided about it, as the fields of its form. */
  stored: Readonly<Record<string, string>>;
  /** The pictures that it can show. */
  pictures: readonly OfferedPicture[];
  /** The published sections of the menu. */
  sections: readonly OfferedSection[];
  /** The time of today that the preview shows, `19:30`; undefined for now. */
  at: string | undefined;
}

/** One screen: a preview of its page, what staff decide about it, and their actions. */
export function screenPage(props: ScreenPageProps): Html {
  const { screen, pictures, sections, at, identity, done, code, refused, ...moment } = props;
  const { id, name, page, place, showing, nowMix, viewport, lastSeenAt, startedAt, paired } = screen;
  const facts: [string, Child][] = [
    ['Page', SCREENS[page]],
    ['State', html`${stateBadge(screen)} ${stateWords(screen, moment)}${troubleWords(screen)}`],
    ...(place ? [['Place', place] as [string, Child]] : []),
    ...(showing
      ? [
          [
            screen.online ? 'Shows' : 'Showed last',
            nowMix ? `${showing} (${nowMixName(nowMix)})` : showing,
          ] as [string, Child],
        ]
      : []),
    ['Last seen', ago(lastSeenAt, moment)],
    ['Page loaded', clock(startedAt, moment)],
    ...(viewport ? [['Size', viewport] as [string, Child]] : []),
    ['Paired', paired ? 'Yes' : `Not paired: its address has the name ${screen.screen}`],
  ];
  const has = (permission: 'screens:manage' | 'controls:write') =>
    identity?.permissions.has(permission) ?? false;
  const body = html`${pageHeader({ title: name, eyebrow: 'Screen' })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice('danger', refusalSentence(refused, { ...SCREEN_LABELS, ...MIX_LABELS }), 'Nothing was changed')}</div>`
}
${preview(screen, { at, ...moment })}
${definitionList(facts)}
${has('controls:write') && signs(screen)}
${has('screens:manage') && html`${page === 'tv' && mixPanel({ screen, action: `${SCREENS_LIST}/${id}`, pictures, sections, refused })}${decisions(props)}${pairAgain(screen, code, refused)}${ends(screen)}`}
<p><a class="button button-quiet" href="${SCREENS_LIST}">All screens</a></p>`;
  return staffPage({ title: name, body, nav: SCREENS_NAV, identity, head: stylesheets('pub/screens.css') });
}

/**
 * The page that this screen shows, in a frame of the same orientation, now or at a time of today. A preview sends no
 * heartbeat for the screen.
 */
function preview(
  { id, name, screen, page, viewport }: ScreenJson,
  { at, now, zone }: { at: string | undefined } & Pick<ScreenPageProps, 'now' | 'zone'>,
): Html {
  const [width = 16, height = 9] = (viewport || '16x9').split('x').map(Number);
  const today = localDate(now, zone);
  const moment = at === undefined ? undefined : parseTimestamp(`${today}T${at}`, zone);
  const wanted = moment === undefined ? '' : `&at=${isoTime(moment)}`;
  const address = `${PAGE_ADDRESSES[page]}?screen=${encodeURIComponent(screen ?? id)}&preview${wanted}`;
  const times = Array.from(
    { length: 48 },
    (_, half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`,
  );
  return html`<div class="screen-preview${width < height && ' screen-preview-upright'}"><iframe src="${address}" title="What ${name} shows" loading="lazy"></iframe></div>
<form class="screen-at" method="get" action="${SCREENS_LIST}/${id}">
${selectField({
  name: 'at',
  label: 'As it looks today',
  value: at ?? '',
  options: [
    { value: '', label: 'now' },
    ...times.map((value) => ({
      value,
      label: `at ${timeInWords(parseTimestamp(`${today}T${value}`, zone) ?? now, zone)}`,
    })),
  ],
})}<button class="button button-quiet">Look</button></form>
<p class="small soft">The page as this screen gets it; its slides may be at another one.</p>`;
}

const button = (id: string, act: string, label: string) =>
  html`<form method="post" action="${SCREENS_LIST}/${id}/${act}"><button class="button button-quiet">${label}</button></form>`;

function signs({ id }: ScreenJson): Html {
  return html`<div class="actions">${button(id, 'identify', 'Show its name now')}${button(id, 'reload', 'Load its page again')}</div>`;
}

type Refused = ScreensCommon['refused'];

/** The fields as they were typed, or as they are stored. */
function decisions({ screen, stored, refused }: ScreenPageProps): Html {
  const { id, revision, paired, off_hours } = screen;
  const isOurs = refused?.entered.mixes === undefined;
  const errors = isOurs ? (refused?.errors ?? []) : [];
  const typed = Object.entries((isOurs && refused?.entered) || {}).map(([name, value]) => [
    name,
    String(value),
  ]);
  const values = { ...stored, ...Object.fromEntries(typed) };
  return html`<section class="panel"><h2>Name, page and hours</h2><form method="post" action="${SCREENS_LIST}/${id}">
${hiddenInputs({ revision: String(revision) })}
${screenFields({ values, errors, ranges: rangesShown(off_hours), isPaired: paired })}
<p class="actions"><button class="button">Save</button></p></form></section>`;
}

function pairAgain({ id, paired }: ScreenJson, code: string | undefined, refused: Refused): Html {
  const typed = String(refused?.entered.code ?? code ?? '');
  const form = html`<p>Open <strong>/s</strong> on the TV and type its code here. Name, page and hours stay${paired ? '; the TV that is this screen now shows that it was replaced' : ''}.</p>
<form method="post" action="${SCREENS_LIST}/${id}/repair">
${field({
  name: 'code',
  label: 'Code on the TV',
  value: spaced(typed),
  maxlength: 20,
  autocomplete: 'off',
  spellcheck: false,
  autocapitalize: 'characters',
})}
<p class="actions"><button class="button button-quiet">${paired ? 'Pair again' : 'Pair'}</button></p></form>`;
  return html`<section class="panel" id="pair-again"><h2>${paired ? 'Another TV, or lost' : 'Pair it'}</h2>${form}</section>`;
}

function ends({ id, paired, name }: ScreenJson): Html {
  return paired
    ? disclosure(
        'Take it out of use',
        html`<p>${name} leaves the list, and its TV shows a code again.</p>${button(id, 'retire', 'Retire this screen')}`,
      )
    : html`<div class="actions">${button(id, 'forget', 'Forget this screen')}</div>
<p class="small soft">One that is still on comes back to the list by itself.</p>`;
}
