import { isoTime } from '#kernel/clock.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences, timeInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate, parseTimestamp } from '#kernel/local-time.ts';
import { rangesShown } from '#pub/devices/screen-form.ts';
import { PAGE_ADDRESSES, type ScreenJson } from '#pub/devices/screens.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList, disclosure, pageHeader, subPages } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { nowMixName } from './mix-names.ts';
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
  /** Which of its pages is shown. */
  part: ScreenPart;
}

/** The pages about a screen, by what their addresses end with. */
export const SCREEN_PARTS = ['', 'shows', 'place'] as const;
export type ScreenPart = (typeof SCREEN_PARTS)[number];

/** The address of a page about a screen. */
export const screenPath = (id: string, part: ScreenPart = ''): string =>
  `${SCREENS_LIST}/${id}${part && `/${part}`}`;

/** Of a screen either how it is now, what it shows, or its place and hours. */
export function screenPage(props: ScreenPageProps): Html {
  const { screen, pictures, sections, identity, done, refused } = props;
  const { id, name, page } = screen;
  const manages = identity?.permissions.has('screens:manage') ?? false;
  const parts: Record<ScreenPart, { label: Words; anchors: string[]; content: () => Child }> = {
    '': {
      label: t('pub-staff.staff_screen.now'),
      anchors: ['pair-again'],
      content: () => present(props, manages),
    },
    shows: {
      label: t('pub-staff.staff_screen.what_it_shows'),
      anchors: ['shows'],
      content: () => mixPanel({ screen, action: screenPath(id), pictures, sections, refused }),
    },
    place: {
      label: t('pub-staff.staff_screen.name_page_hours'),
      anchors: [],
      content: () => decisions(props),
    },
  };
  const shown = SCREEN_PARTS.filter(
    (part) => part === '' || (manages && (part !== 'shows' || page === 'tv')),
  );
  const part = shown.includes(props.part) ? props.part : '';
  const content = html`${parts[part].content()}`;
  const pages = shown.map((one) => ({ href: screenPath(id, one), ...parts[one] }));
  const body = html`${refused && html`<div role="alert">${notice('danger', refusalSentence(refused, { ...SCREEN_LABELS, ...MIX_LABELS }), t('pub-staff.staff_screen.nothing_changed'))}</div>`}
${pageHeader({ title: name, crumbs: [{ href: SCREENS_LIST, label: t('pub-staff.staff_screen.screens') }] })}
${doneNotice(done)}${
  pages.length === 1
    ? content
    : subPages({
        label: t('pub-staff.staff_screen.pages_about_screen'),
        pages,
        current: screenPath(id, part),
        content,
      })
}`;
  const title = part === '' ? name : t('pub-staff.staff_screen.part_of', { part: parts[part].label, name });
  return staffPage({ title, body, nav: SCREENS_NAV, identity, head: stylesheets('pub/screens.css') });
}

/** A preview of its page, its state, and what can be done at once. */
function present(props: ScreenPageProps, manages: boolean): Html {
  const { screen, at, identity, code, refused, ...moment } = props;
  const { page, place, showing, nowMix, viewport, lastSeenAt, startedAt, paired } = screen;
  const facts: [Child, Child][] = [
    [t('pub-staff.staff_screen.page'), SCREENS[page]],
    [
      t('pub-staff.staff_screen.state'),
      html`${stateBadge(screen)} ${sentences([stateWords(screen, moment), ...troubleWords(screen)])}`,
    ],
    ...(place ? [[t('pub-staff.staff_screen.place'), place] as [Child, Child]] : []),
    ...(showing
      ? [
          [
            screen.online ? t('pub-staff.staff_screen.shows') : t('pub-staff.staff_screen.showed_last'),
            nowMix ? html`${showing} (${nowMixName(nowMix)})` : showing,
          ] as [Child, Child],
        ]
      : []),
    [t('pub-staff.staff_screen.last_seen'), ago(lastSeenAt, moment)],
    [t('pub-staff.staff_screen.page_loaded'), clock(startedAt, moment)],
    ...(viewport ? [[t('pub-staff.staff_screen.size'), viewport] as [Child, Child]] : []),
    [
      t('pub-staff.staff_screen.paired'),
      paired
        ? t('pub-staff.staff_screen.yes')
        : t('pub-staff.staff_screen.paired_address_name', { screen: screen.screen ?? '' }),
    ],
  ];
  return html`${preview(screen, { at, ...moment })}
${definitionList(facts)}
${identity?.permissions.has('controls:write') && signs(screen)}
${manages && html`${pairAgain(screen, code, refused)}${ends(screen)}`}`;
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
  return html`<div class="screen-preview${width < height && ' screen-preview-upright'}"><iframe src="${address}" title="${t('pub-staff.staff_screen.what_name_shows', { name })}" loading="lazy"></iframe></div>
<form class="screen-at" method="get" action="${SCREENS_LIST}/${id}">
${selectField({
  name: 'at',
  label: t('pub-staff.staff_screen.looks_today'),
  value: at ?? '',
  options: [
    { value: '', label: t('pub-staff.staff_screen.at_now') },
    ...times.map((value) => ({
      value,
      label: t('pub-staff.staff_screen.at_time', {
        time: timeInWords(parseTimestamp(`${today}T${value}`, zone) ?? now, zone),
      }),
    })),
  ],
})}<button class="button button-quiet">${t('pub-staff.staff_screen.look')}</button></form>
<p class="small soft">${t('pub-staff.staff_screen.page_screen_gets_slides_another')}</p>`;
}

const button = (id: string, act: string, label: Words) =>
  html`<form method="post" action="${SCREENS_LIST}/${id}/${act}"><button class="button button-quiet">${label}</button></form>`;

function signs({ id }: ScreenJson): Html {
  return html`<div class="actions">${button(id, 'identify', t('pub-staff.staff_screen.show_name_now'))}${button(id, 'reload', t('pub-staff.staff_screen.load_page_again'))}</div>`;
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
  return html`<section aria-label="${t('pub-staff.staff_screen.name_page_hours')}"><form method="post" action="${screenPath(id)}">
${hiddenInputs({ revision: String(revision) })}
${screenFields({ values, errors, ranges: rangesShown(off_hours), isPaired: paired })}
<p class="actions"><button class="button">${t('pub-staff.staff_screen.save')}</button></p></form></section>`;
}

function pairAgain({ id, paired }: ScreenJson, code: string | undefined, refused: Refused): Html {
  const typed = String(refused?.entered.code ?? code ?? '');
  const form = html`<p>${paired ? t('pub-staff.staff_screen.type_code_to_replace_tv', { strong: (inside) => html`<strong>${inside}</strong>` }) : t('pub-staff.staff_screen.type_code', { strong: (inside) => html`<strong>${inside}</strong>` })}</p>
<form method="post" action="${SCREENS_LIST}/${id}/repair">
${field({
  name: 'code',
  label: t('pub-staff.staff_screen.code_tv'),
  value: spaced(typed),
  maxlength: 20,
  autocomplete: 'off',
  spellcheck: false,
  autocapitalize: 'characters',
})}
<p class="actions"><button class="button button-quiet">${paired ? t('pub-staff.staff_screen.pair_again') : t('pub-staff.staff_screen.pair')}</button></p></form>`;
  return html`<section class="panel" id="pair-again"><h2>${paired ? t('pub-staff.staff_screen.another_tv_lost') : t('pub-staff.staff_screen.pair_it')}</h2>${form}</section>`;
}

function ends({ id, paired, name }: ScreenJson): Html {
  return paired
    ? disclosure(
        t('pub-staff.staff_screen.take_out_use'),
        html`<p>${t('pub-staff.staff_screen.leaves_list_tv_shows_code', { name })}</p>${button(id, 'retire', t('pub-staff.staff_screen.retire_screen'))}`,
      )
    : html`<div class="actions">${button(id, 'forget', t('pub-staff.staff_screen.forget_screen'))}</div>
<p class="small soft">${t('pub-staff.staff_screen.still_comes_back_list_itself')}</p>`;
}
