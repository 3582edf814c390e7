import { namedWeekdays } from '#content/records/fields.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import { KEPT, mixToForm, OWN, timesShown } from '#pub/devices/mix-form.ts';
import {
  type LAYOUTS,
  MIX_TICKS,
  PAGES_AT_MOST,
  PICTURES_AT_MOST,
  PRESET_NAMES,
  type Preset,
  SECONDS_OF_PAGE,
  SECONDS_OF_PICTURE,
} from '#pub/devices/mixes.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import { type Entered, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { MIX_NAMES, mixName } from './mix-names.ts';
import { screenWeek } from './screen-week.ts';

/** A picture that a screen can show. */
export interface OfferedPicture {
  id: string;
  alt: string;
}

/** A section of the menu. */
export interface OfferedSection {
  id: string;
  title: string;
}

export interface MixPanelProps {
  screen: ScreenJson;
  action: string;
  /** The pictures of this screen, then the newest others. */
  pictures: readonly OfferedPicture[];
  sections: readonly OfferedSection[];
  refused: RefusedForm | undefined;
}

const NOTES: Readonly<Record<Preset, Words>> = {
  everything: t('pub-staff.screen_mix.slides_beside_programme_who_works'),
  whats_on: t('pub-staff.screen_mix.events_announcements_nothing_else'),
  menu_board: t('pub-staff.screen_mix.drinks_food_over_whole_screen'),
  pictures_only: t('pub-staff.screen_mix.full_screen_pictures_without_clock'),
};

const TICK_NAMES: Readonly<Record<(typeof MIX_TICKS)[number], Words>> = {
  events: t('pub-staff.screen_mix.events_programme_those_picture'),
  announcements: t('pub-staff.screen_mix.announcements'),
  crew: t('pub-staff.screen_mix.who_behind_bar'),
  menu: t('pub-staff.screen_mix.whats_tap'),
  codes: t('pub-staff.screen_mix.qr_codes_pages'),
  now_playing: t('pub-staff.screen_mix.what_plays_song_film_game'),
  weather: t('pub-staff.screen_mix.weather'),
};

const LAYOUT_NAMES: Readonly<Record<(typeof LAYOUTS)[number], Words>> = {
  day: t('pub-staff.screen_mix.slides_beside_programme'),
  slides: t('pub-staff.screen_mix.slides_over_whole_width'),
  menu: t('pub-staff.screen_mix.menu_over_whole_screen'),
  picture: t('pub-staff.screen_mix.pictures_over_whole_screen'),
};

/** The labels of its fields, for sentences about them. */
export const MIX_LABELS = {
  mix: t('pub-staff.screen_mix.shows'),
  'mix.pages': t('pub-staff.screen_mix.pages_other_hosts'),
  'mix.pictures': t('pub-staff.screen_mix.pictures'),
  times: t('pub-staff.screen_mix.other_times'),
} as const;

/** What a screen shows: the usual mix and those of some times of day, with a picture of the week. */
export function mixPanel({ screen, action, pictures, sections, refused }: MixPanelProps): Html {
  const isOurs = refused?.entered.mixes !== undefined;
  const values: Entered = isOurs ? refused.entered : mixToForm(screen);
  const errors = isOurs ? refused.errors : [];
  const [atPages, atPictures] = ['mix.pages', 'mix.pictures'].map((at) => errorAt(errors, at) !== undefined);
  // Of the folds one is open at a time: the one with a mistake, otherwise the first that says something.
  const open = [
    ...[atPages && 'pages', atPictures && 'pictures', enteredText(values, 'shows') === OWN && 'own'],
    ...[screen.mix.pictures.length > 0 && 'pictures', screen.mix.pages.length > 0 && 'pages'],
  ].find(Boolean);
  return html`<section id="shows" aria-label="${t('pub-staff.screen_mix.what_shows')}">
<form method="post" action="${action}">${hiddenInputs({ revision: String(screen.revision), mixes: '1' })}
${choiceGroup({
  name: 'shows',
  label: t('pub-staff.screen_mix.shows'),
  error: errorAt(errors, 'mix.layout'),
  rows: [
    ...PRESET_NAMES.map((name) => preset(name, MIX_NAMES[name], NOTES[name], values)),
    preset(OWN, mixName(null), t('pub-staff.screen_mix.tick_below_what_shows'), values),
  ],
})}
${disclosure(mixName(null), ownChoice(values), open === 'own', FOLDS)}
${sectionRows(values, sections, '', open === undefined)}
${disclosure(
  t('pub-staff.screen_mix.pictures'),
  pictureRows(values, pictures, errorAt(errors, 'mix.pictures')),
  open === 'pictures',
  FOLDS,
)}
${disclosure(t('pub-staff.screen_mix.pages_other_hosts'), pageRows(values, errors, screen.pageFaults), open === 'pages', FOLDS)}
<h2>${t('pub-staff.screen_mix.at_other_times')}</h2>
<p class="hint">${t('pub-staff.screen_mix.what_begins_later_wins_time')}</p>
${screenWeek(screen)}
${Array.from({ length: Math.max(timesShown(screen.times), timesIn(values)) }, (_, index) =>
  timeRow(index, { values, sections, errors }),
)}
<p class="actions"><button class="button">${t('pub-staff.screen_mix.save')}</button></p></form></section>`;
}

/** Of all folds of the form one is open at a time. */
const FOLDS = 'mix';

/** How many times of day were entered: somebody else may have taken one out meanwhile. */
const timesIn = (values: Entered): number =>
  Object.keys(values).filter((name) => /^time\.\d\.shows$/.test(name)).length;

const preset = (value: string, label: Words, note: Words, values: Entered): Html =>
  choice({
    type: 'radio',
    name: 'shows',
    value,
    label,
    note,
    id: `shows-${value}`,
    checked: enteredText(values, 'shows') === value,
  });

/** What a mix without a name shows. @param at before the names of its fields: the usual mix has none */
function ownChoice(values: Entered, at = ''): Html {
  return html`${selectField({
    name: `${at}layout`,
    label: t('pub-staff.screen_mix.layout'),
    value: enteredText(values, `${at}layout`, 'day'),
    options: Object.entries(LAYOUT_NAMES).map(([value, label]) => ({ value, label })),
  })}
<div class="screen-days">${choiceGroup({
    name: `${at}ticks`,
    label: t('pub-staff.screen_mix.with'),
    plain: true,
    rows: MIX_TICKS.map((tick) => {
      const name = `${at}tick.${tick}`;
      return tickBox({ name, label: TICK_NAMES[tick], checked: isTicked(values, name) });
    }),
  })}</div>`;
}

/** Which sections of the menu are shown, and whether all on one page; those that are not offered stay chosen. */
function sectionRows(
  values: Entered,
  published: readonly OfferedSection[],
  at: string,
  mayOpen: boolean,
): Html {
  const name = `${at}section`;
  const sections = published.length > 1 ? published : [];
  const chosen = [values[name] ?? []].flat().map(String);
  const gone = chosen.filter((id) => !sections.some((section) => section.id === id));
  const rows = sections.map(({ id, title }) =>
    choice({ type: 'checkbox', name, value: id, label: title, checked: chosen.includes(id) }),
  );
  return html`${hiddenInputs({ [name]: gone })}${
    rows.length > 0 &&
    disclosure(
      t('pub-staff.screen_mix.sections_menu'),
      choiceGroup({
        name: `${name}s`,
        label: t('pub-staff.screen_mix.screen'),
        hint: t('pub-staff.screen_mix.none_ticked_all'),
        plain: true,
        rows,
      }),
      mayOpen && chosen.length > 0,
      at === '' ? FOLDS : undefined,
    )
  }${tickBox({
    name: `${at}whole_list`,
    label: t('pub-staff.screen_mix.menu_over_whole_screen_all'),
    checked: isTicked(values, `${at}whole_list`),
  })}`;
}

/** A row for each picture: whether it is shown, at which place and for how long. */
function pictureRows(values: Entered, pictures: readonly OfferedPicture[], error: Words | undefined): Html {
  if (pictures.length === 0)
    return html`<p>${t('pub-staff.screen_mix.pictures_yet_add_announcement_shown')}</p>`;
  return html`<p class="hint">${t('pub-staff.screen_mix.up_pictures_only_none_ticked', { most: PICTURES_AT_MOST })}</p>${error && html`<p class="error-text">${error}</p>`}
<ul class="screen-pictures" role="list">${pictures.map(({ id, alt }) => {
    const name = `picture.${id}`;
    const said = alt || t('pub-staff.screen_mix.picture');
    const number = (what: 'place' | 'seconds', label: Words, usual = '') =>
      openField({
        name: `${name}.${what}`,
        label: t('pub-staff.screen_mix.of', {
          label,
          hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`,
          picture: said,
        }),
        type: 'number',
        min: 1,
        value: enteredText(values, `${name}.${what}`, usual),
      });
    return html`<li><img src="/api/admin/pictures/${id}/file?size=480" alt="" width="120" height="80" loading="lazy">
<div class="choices-plain">${tickBox({ name, label: said, checked: isTicked(values, name) })}
<div class="screen-pair">${number('place', t('pub-staff.screen_mix.place'))}${number('seconds', t('pub-staff.screen_mix.seconds'), String(SECONDS_OF_PICTURE))}</div>${tickBox(
      {
        name: `${name}.cover`,
        label: t('pub-staff.screen_mix.fills_screen_edges_cropped', {
          hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`,
          picture: said,
        }),
        checked: isTicked(values, `${name}.cover`),
      },
    )}</div></li>`;
  })}</ul>`;
}

function pageRows(
  values: Entered,
  errors: Parameters<typeof errorAt>[0],
  faults: ScreenJson['pageFaults'] = [],
): Html {
  const rows = Array.from({ length: PAGES_AT_MOST }, (_, index) => {
    const url = enteredText(values, `web.${index}.url`);
    const fault = faults.find((one) => one.url === url);
    return html`<div class="screen-page">${field({
      name: `web.${index}.url`,
      label: t('pub-staff.screen_mix.address', { index: index + 1 }),
      value: url,
      optional: true,
      inputmode: 'url',
      spellcheck: false,
      autocomplete: 'off',
      error:
        errorAt(errors, `mix.pages.${index}.url`) ??
        (fault && t('pub-staff.screen_mix.left_out_page', { fault: pageTextOf(fault) ?? '' })),
    })}${openField({
      name: `web.${index}.seconds`,
      label: t('pub-staff.screen_mix.seconds'),
      type: 'number',
      min: 5,
      error: errorAt(errors, `mix.pages.${index}.seconds`),
      value: enteredText(values, `web.${index}.seconds`, String(SECONDS_OF_PAGE)),
    })}</div>`;
  });
  return html`<p class="hint">${t('pub-staff.screen_mix.take_turns_slides_https_only')}</p>${rows}`;
}

/** One time of day: which days, from when to when, and what is shown. */
function timeRow(
  index: number,
  {
    values,
    sections,
    errors,
  }: { values: Entered; sections: readonly OfferedSection[]; errors: Parameters<typeof errorAt>[0] },
): Html {
  const name = (field: string) => `time.${index}.${field}`;
  const days = [values[name('days')] ?? []].flat();
  const shows = enteredText(values, name('shows'));
  const options: { value: string; label: Words }[] = [
    { value: '', label: t('pub-staff.screen_mix.nothing_else') },
    ...PRESET_NAMES.map((value) => ({ value, label: MIX_NAMES[value] })),
    { value: OWN, label: t('pub-staff.screen_mix.ticked_below', { mix: mixName(null) }) },
    ...(shows === KEPT ? [{ value: KEPT, label: t('pub-staff.screen_mix.stored') }] : []),
  ];
  const error = errorAt(errors, `times.${index}`);
  const time = (end: 'from' | 'to', label: Child) =>
    openField({ name: name(end), label, type: 'time', value: enteredText(values, name(end)) });
  return html`<fieldset class="screen-time"><legend>${t('pub-staff.screen_mix.time', { index: index + 1 })}</legend>
${error && html`<p class="error-text">${error}</p>`}
<div class="field-row">${selectField({ name: name('shows'), label: t('pub-staff.screen_mix.shows'), value: shows, options })}
${time('from', t('pub-staff.screen_mix.from'))}${time('to', t('pub-staff.screen_mix.until'))}</div>
<fieldset class="screen-days"><legend>${t('pub-staff.screen_mix.days')}</legend><p class="hint">${t('pub-staff.screen_mix.none_ticked_every_day_times')}</p>
<div class="choices choices-plain">${namedWeekdays('short').map(([value, label]) =>
    choice({ type: 'checkbox', name: name('days'), value, label, checked: days.includes(value) }),
  )}</div></fieldset>
${disclosure(
  mixName(null),
  html`${ownChoice(values, name(''))}${sectionRows(values, sections, name(''), true)}`,
  shows === OWN,
  FOLDS,
)}</fieldset>`;
}
