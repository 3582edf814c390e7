import { namedWeekdays } from '#content/records/fields.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
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

const NOTES: Readonly<Record<Preset, string>> = {
  everything: 'Slides beside the programme, who works, what plays.',
  whats_on: 'Events and announcements, nothing else.',
  menu_board: 'The drinks and the food over the whole screen.',
  pictures_only: 'Full-screen pictures, without a clock.',
};

const TICK_NAMES: Readonly<Record<(typeof MIX_TICKS)[number], string>> = {
  events: 'Events: the programme, and those with a picture',
  announcements: 'Announcements',
  crew: 'Who is behind the bar',
  menu: 'What’s on tap',
  codes: 'QR codes of our pages',
  now_playing: 'What plays: the song, the film or the game',
  weather: 'The weather',
};

const LAYOUT_NAMES: Readonly<Record<(typeof LAYOUTS)[number], string>> = {
  day: 'Slides beside the programme',
  slides: 'Slides over the whole width',
  menu: 'The menu over the whole screen',
  picture: 'Pictures over the whole screen',
};

/** The labels of its fields, for sentences about them. */
export const MIX_LABELS = {
  mix: 'It shows',
  'mix.pages': 'Pages of other hosts',
  'mix.pictures': 'Pictures',
  times: 'Other times',
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
  return html`<section id="shows" aria-label="What it shows">
<form method="post" action="${action}">${hiddenInputs({ revision: String(screen.revision), mixes: '1' })}
${choiceGroup({
  name: 'shows',
  label: 'It shows',
  error: errorAt(errors, 'mix.layout'),
  rows: [
    ...PRESET_NAMES.map((name) => preset(name, MIX_NAMES[name], NOTES[name], values)),
    preset(OWN, mixName(null), 'Tick below what it shows.', values),
  ],
})}
${disclosure(mixName(null), ownChoice(values), open === 'own', FOLDS)}
${sectionRows(values, sections, '', open === undefined)}
${disclosure(
  'Pictures',
  pictureRows(values, pictures, errorAt(errors, 'mix.pictures')),
  open === 'pictures',
  FOLDS,
)}
${disclosure('Pages of other hosts', pageRows(values, errors, screen.pageFaults), open === 'pages', FOLDS)}
<h2>At other times</h2>
<p class="hint">What begins later wins. A time that is not after the first one is on the next day.</p>
${screenWeek(screen)}
${Array.from({ length: Math.max(timesShown(screen.times), timesIn(values)) }, (_, index) =>
  timeRow(index, { values, sections, errors }),
)}
<p class="actions"><button class="button">Save</button></p></form></section>`;
}

/** Of all folds of the form one is open at a time. */
const FOLDS = 'mix';

/** How many times of day were entered: somebody else may have taken one out meanwhile. */
const timesIn = (values: Entered): number =>
  Object.keys(values).filter((name) => /^time\.\d\.shows$/.test(name)).length;

const preset = (value: string, label: string, note: string, values: Entered): Html =>
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
    label: 'Layout',
    value: enteredText(values, `${at}layout`, 'day'),
    options: Object.entries(LAYOUT_NAMES).map(([value, label]) => ({ value, label })),
  })}
<div class="screen-days">${choiceGroup({
    name: `${at}ticks`,
    label: 'With',
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
      'Sections of the menu',
      choiceGroup({
        name: `${name}s`,
        label: 'On this screen',
        hint: 'None ticked: all of them.',
        plain: true,
        rows,
      }),
      mayOpen && chosen.length > 0,
      at === '' ? FOLDS : undefined,
    )
  }${tickBox({
    name: `${at}whole_list`,
    label: 'Menu over the whole screen: all of it on one page if it fits, in smaller type',
    checked: isTicked(values, `${at}whole_list`),
  })}`;
}

/** A row for each picture: whether it is shown, at which place and for how long. */
function pictureRows(values: Entered, pictures: readonly OfferedPicture[], error: Words | undefined): Html {
  if (pictures.length === 0)
    return html`<p>There are no pictures yet. Add one to an announcement; it can be shown here too.</p>`;
  return html`<p class="hint">Up to ${PICTURES_AT_MOST}, for “Pictures only”. None ticked: the pictures of
announcements and events. Where edges are cropped, what matters most in a picture stays in view, as chosen where it was added.</p>${error && html`<p class="error-text">${error}</p>`}
<ul class="screen-pictures" role="list">${pictures.map(({ id, alt }) => {
    const name = `picture.${id}`;
    const said = alt || 'A picture';
    const number = (what: 'place' | 'seconds', label: string, usual = '') =>
      openField({
        name: `${name}.${what}`,
        label: html`${label}<span class="visually-hidden"> of ${said}</span>`,
        type: 'number',
        min: 1,
        value: enteredText(values, `${name}.${what}`, usual),
      });
    return html`<li><img src="/api/admin/pictures/${id}/file?size=480" alt="" width="120" height="80" loading="lazy">
<div class="choices-plain">${tickBox({ name, label: said, checked: isTicked(values, name) })}
<div class="screen-pair">${number('place', 'Place')}${number('seconds', 'Seconds', String(SECONDS_OF_PICTURE))}</div>${tickBox(
      {
        name: `${name}.cover`,
        label: html`Fills the screen<span class="visually-hidden">: ${said}</span>, with its edges cropped`,
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
      label: `Address ${index + 1}`,
      value: url,
      optional: true,
      inputmode: 'url',
      spellcheck: false,
      autocomplete: 'off',
      error:
        errorAt(errors, `mix.pages.${index}.url`) ?? (fault && html`Left out: the page ${pageTextOf(fault)}`),
    })}${openField({
      name: `web.${index}.seconds`,
      label: 'Seconds',
      type: 'number',
      min: 5,
      error: errorAt(errors, `mix.pages.${index}.seconds`),
      value: enteredText(values, `web.${index}.seconds`, String(SECONDS_OF_PAGE)),
    })}</div>`;
  });
  return html`<p class="hint">They take turns with the slides. https only; a page that does not load within 15 seconds is
skipped, and so are all of them while the network is down.</p>${rows}`;
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
  const options: { value: string; label: string }[] = [
    { value: '', label: 'Nothing else' },
    ...PRESET_NAMES.map((value) => ({ value, label: MIX_NAMES[value] })),
    { value: OWN, label: `${mixName(null)}, as ticked below` },
    ...(shows === KEPT ? [{ value: KEPT, label: 'As it is stored' }] : []),
  ];
  const error = errorAt(errors, `times.${index}`);
  const time = (end: 'from' | 'to', label: Child) =>
    openField({ name: name(end), label, type: 'time', value: enteredText(values, name(end)) });
  return html`<fieldset class="screen-time"><legend>Time ${index + 1}</legend>
${error && html`<p class="error-text">${error}</p>`}
<div class="field-row">${selectField({ name: name('shows'), label: 'It shows', value: shows, options })}
${time('from', 'From')}${time('to', 'Until')}</div>
<fieldset class="screen-days"><legend>Days</legend><p class="hint">None ticked: every day. No times: the whole day.</p>
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
