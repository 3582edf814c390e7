import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import {
  type Entered,
  enteredLines,
  enteredText,
  errorAt,
  isTicked,
  namedErrors,
} from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { settingsFields } from '#views/voting/admin/sections/settings-fields.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { SETTINGS_LABELS } from '#views/voting/words.ts';
import { type OptionKind, type OptionRules, rulesOf } from '#voting/shared/ballot-types.ts';

/** The data of the form for a new election. */
export interface ElectionFormProps extends OfficerProps {
  /** The entered values, by field name. Without a title, the form is a new one and shows default values. */
  entered: Entered;
  /** The dates that a new form proposes, in the format of its fields. */
  proposed?: { open_at: string; close_at: string } | undefined;
  errors: readonly FieldError[];
  /** The time zone of all times, in words. */
  zone: string;
  /** The preview of the ballot, shown below the form. */
  preview?: Html | undefined;
}

/** What a new form proposes, where nothing was chosen. */
const PROPOSED = { open_now: 'true', 'settings.allow_blank': 'true' };

/** The labels of the fields, in a summary of errors. */
export const FORM_LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  ballot_type: 'Type of ballot',
  options: 'Options',
  candidates: 'Candidates',
  open_at: 'Opens',
  close_at: 'Closes',
  attachment_url: 'Document',
  ...SETTINGS_LABELS,
};

/** The page to create an election: what is asked, when, and how it is handled. */
export function electionFormPage({
  entered: given,
  errors,
  zone,
  proposed,
  preview,
  viewer,
}: ElectionFormProps): Html {
  const fresh = !('title' in given);
  const entered = fresh ? { ...PROPOSED, ...proposed, ...given } : given;
  const body = html`${errorSummary(namedErrors(errors, FORM_LABELS), idOf, 'The election was not made yet')}
${pageHeader({
  title: 'New election',
  lede: 'Nothing is sent to anyone: you make the voting codes afterwards.',
  crumbs: [{ href: '/admin', label: 'Elections' }],
})}
${mayDo({ viewer }, 'elections:run') && tryFirst}
<form method="post" action="/admin/elections" data-election-form>
${pageSection({ id: 'question', title: 'What is asked', work: questionFields(entered, errors) })}
${pageSection({
  id: 'window',
  title: 'When',
  about: `All times are ${zone}. The clock of this service decides.`,
  work: windowFields(entered, errors),
})}
${pageSection({
  id: 'codes',
  title: 'By mail or on paper',
  about: 'How people get their voting codes. Slips for those without mail are possible either way.',
  work: handOutFields(entered),
})}
${pageSection({
  id: 'handling',
  title: 'How it is handled',
  work: html`${settingsFields({ entered, errors, folds: true })}${trialField(entered)}`,
})}
<div class="actions"><button class="button">Create the election</button>
<button class="button button-quiet" formaction="/admin/elections/preview#preview"
formnovalidate>Preview the ballot</button></div>
</form>
${
  preview &&
  html`<section class="preview" id="preview" aria-labelledby="preview-heading">
<h2 id="preview-heading">This is the ballot</h2><p class="soft">Only a picture of it: the election does not exist
until you create it.</p><div class="card">${preview}</div></section>`
}`;
  const title = errors.length > 0 ? 'Please check: New election' : 'New election';
  return officerPage({ title, body, nav: '/admin', viewer, scripts: ['admin/election-form.js'] });
}

/** What is asked, with the type of ballot and what there is to choose from. */
export function questionFields(entered: Entered, errors: readonly FieldError[]): Html {
  const at = (name: string) => ({ name, value: enteredText(entered, name), error: errorAt(errors, name) });
  return html`${field({
    ...at('title'),
    label: 'Title',
    hint: 'The question or the office, as members would say it.',
    maxlength: 500,
  })}
${field({
  ...at('description'),
  label: 'Description',
  hint: 'Shown with the ballot. An empty line starts a paragraph.',
  optional: true,
  rows: 4,
  maxlength: 5_000,
})}
${typeField(entered, errors)}
${Object.entries(OPTION_FIELDS).map(([kind, words]) => {
  const name = `${kind}s`;
  const area = openField({ ...at(name), value: enteredLines(entered, name), ...words, rows: 5 });
  return html`<div data-for="${typesWith((rules) => rules.kind === kind)}">${area}</div>`;
})}
<div class="choices choices-plain" data-for="${typesWith((rules) => rules.noneOfTheAbove)}">${noneField(entered)}</div>
${field({
  ...at('attachment_url'),
  label: 'Document',
  hint: 'The address of something to read, beginning with https://',
  optional: true,
  type: 'url',
  maxlength: 2_000,
})}`;
}

const OPTION_FIELDS: Record<OptionKind, { label: string; hint: string }> = {
  option: { label: 'Options or names', hint: 'One on each line. A poll needs at least two.' },
  candidate: {
    label: 'Candidates of a ranked ballot',
    hint: 'One on each line. You can add more until the first ballot is in.',
  },
};

/** The ballot types whose options have these rules: the script shows a field for them alone. */
const typesWith = (has: (rules: OptionRules) => boolean): string =>
  BALLOT_TYPES.filter((type) => {
    const rules = rulesOf(type).options;
    return rules !== null && has(rules);
  }).join(' ');

const noneField = (entered: Entered): Html =>
  tickBox({
    name: 'none_of_the_above',
    label: 'Add “None of the above”',
    note: 'A candidate ranked below it is not acceptable to that voter, and the result says so.',
    checked: isTicked(entered, 'none_of_the_above'),
  });

const tryFirst = notice(
  'info',
  html`<p>First time? <a href="/admin/elections/new?trial=1">Try it with five
friends</a>: a vote that decides nothing and deletes itself.</p>`,
);

const trialField = (entered: Entered): Html =>
  html`<div class="choices choices-plain">${tickBox({
    name: 'trial',
    label: 'It is a trial',
    note: 'At most 20 people vote, every page says so, the home page does not show it, and after seven days it is deleted with everything.',
    checked: isTicked(entered, 'trial'),
  })}</div>`;

function typeField(entered: Entered, errors: readonly FieldError[]): Html {
  const chosen = enteredText(entered, 'ballot_type', BALLOT_TYPES[0]);
  return choiceGroup({
    name: 'ballot_type',
    label: 'Type of ballot',
    hint: 'It cannot be changed later.',
    error: errorAt(errors, 'ballot_type'),
    rows: BALLOT_TYPES.map((type, index) => {
      const { name, how, when } = viewOf(type);
      const id = index === 0 ? 'ballot_type' : `ballot_type-${index + 1}`;
      return choice({
        type: 'radio',
        name: 'ballot_type',
        value: type,
        label: name,
        note: html`${how}<br>${when}`,
        id,
        checked: type === chosen,
      });
    }),
  });
}

/** How people get their voting codes: only what the page proposes next differs. */
export type HandOut = 'mail' | 'paper';

const HAND_OUTS: Record<HandOut, { label: string; note: string }> = {
  mail: {
    label: 'By mail',
    note: 'You invite them next, and each gets a link of their own. No other voting codes are needed.',
  },
  paper: {
    label: 'On paper',
    note: 'You make voting codes next, print them as slips, and hand them out.',
  },
};

function handOutFields(entered: Entered): Html {
  const name = 'hand_out';
  const chosen = enteredText(entered, name);
  return choiceGroup({
    name,
    label: 'How do people vote?',
    rows: Object.entries(HAND_OUTS).map(([value, words]) =>
      choice({ type: 'radio', name, value, ...words, id: `${name}-${value}`, checked: value === chosen }),
    ),
  });
}

/** When voting opens and closes. */
export function windowFields(entered: Entered, errors: readonly FieldError[]): Html {
  const time = (name: string, label: string) =>
    field({
      name,
      label,
      type: 'datetime-local',
      value: enteredText(entered, name),
      error: errorAt(errors, name),
    });
  return html`<div class="choices choices-plain">${tickBox({
    name: 'open_now',
    label: 'Open at once',
    note: 'Everyone with a voting code can vote immediately.',
    checked: isTicked(entered, 'open_now'),
  })}</div>
<div class="field-row"><div data-unless="open_now">${time('open_at', 'Opens')}</div>
<div>${time('close_at', 'Closes')}</div></div>
<div class="choices choices-plain">${tickBox({
    name: 'allow_past_close',
    label: 'It is over already',
    note: 'Lets the close lie in the past, to keep the record of a vote that was held elsewhere.',
    checked: isTicked(entered, 'allow_past_close'),
  })}</div>`;
}

/** The id of the field that a problem belongs to; for an entry of a list, or a part of a field, that of the whole. */
export function idOf(path: string): string {
  const parts = path.split('.');
  const wholes = parts.map((_part, index) => parts.slice(0, parts.length - index).join('.'));
  return wholes.find((whole) => Object.hasOwn(FORM_LABELS, whole)) ?? 'question';
}
