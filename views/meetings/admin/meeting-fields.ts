import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { type Entered, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { field, type Option, selectField } from '#views/components/forms.ts';
import { ShareInput } from '#voting/share-input.ts';
import { shareWords } from '#voting/shared/share.ts';

export const MEETING_LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  held_at: 'Day and time',
  place: 'Place',
  notes: 'How to take part',
  documents: 'Documents',
  quorum: 'Quorum as a number',
  quorum_share: 'Quorum as a share',
  remote: 'Members elsewhere',
  proxies_per_person: 'Proxies',
  classes: 'Classes of cards',
  agenda_of: 'Agenda',
};

const SHARES = [
  { value: '', label: 'None' },
  ...['1/10', '1/5', '1/4', '1/3'].map((part) => ({
    value: `at_least ${part}`,
    label: `${part} of the members`,
  })),
  { value: 'more_than_half', label: 'More than half of the members' },
  { value: 'two_thirds', label: 'Two thirds of the members' },
];

/** A share as the form names it: a word, or `at_least 1/3`. */
function shareValue(share: unknown): string {
  if (typeof share === 'string') return share;
  const [[kind, part] = []] = Object.entries(fieldsOf(share));
  return kind === undefined ? '' : `${kind} ${part}`;
}

/** The usual shares, and the stored one. */
function sharesWith(share: unknown): readonly Option[] {
  const value = shareValue(share);
  const read = ShareInput.safeParse(share);
  if (!read.success || SHARES.some((one) => one.value === value)) return SHARES;
  const words = shareWords(read.data);
  return [...SHARES, { value, label: `${words.charAt(0).toUpperCase()}${words.slice(1)} of the members` }];
}

/** The fields of a meeting, new or stored. */
export function meetingFields({
  entered,
  errors,
  zone,
}: {
  entered: Entered;
  errors: readonly FieldError[];
  zone: string;
}): Html {
  const at = (name: string) => ({
    name,
    label: MEETING_LABELS[name]!,
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  const lines = (name: string, written: (one: unknown) => string) => {
    const value = entered[name];
    return Array.isArray(value) ? value.map(written).join('\n') : enteredText(entered, name);
  };
  return html`${field({ ...at('title'), maxlength: 300, hint: 'Annual general meeting 2027, for example.' })}
${field({ ...at('held_at'), type: 'datetime-local', short: true, hint: `In ${zone}.` })}
${field({ ...at('place'), optional: true, maxlength: 300 })}
${field({
  ...at('notes'),
  optional: true,
  rows: 4,
  maxlength: 5_000,
  hint: 'Shown on its public page: who may come, how to vote, what to bring.',
})}
${openField({
  ...at('documents'),
  value: lines('documents', documentLine),
  rows: 3,
  hint: 'One on each line: its title, then its address, beginning with https://',
})}
${openField({
  ...at('quorum'),
  type: 'number',
  min: 1,
  short: true,
  hint: 'How many people have to be present for a decision. Empty: no such rule.',
})}
${selectField({
  ...at('quorum_share'),
  value: shareValue(entered.quorum_share),
  hint: 'Of those who may vote. The other way to say it.',
  options: sharesWith(entered.quorum_share),
})}
${openField({
  ...at('classes'),
  value: lines('classes', String),
  rows: 2,
  hint: 'One on each line. Each gets cards of a colour of its own; an item can name the classes that vote on it.',
})}
<input type="hidden" name="remote" value="false">
<div class="choices choices-plain">${tickBox({
    name: 'remote',
    label: 'Members elsewhere can take part',
    note: 'They vote with their own link, and count as present once they have opened it.',
    checked: isTicked(entered, 'remote'),
  })}</div>
${openField({
  ...at('proxies_per_person'),
  value: enteredText(entered, 'proxies_per_person', '0'),
  type: 'number',
  min: 0,
  short: true,
  hint: 'How many absent members one person may represent. 0: nobody.',
})}
<input type="hidden" name="proxies_count" value="false">
<div class="choices choices-plain">${tickBox({
    name: 'proxies_count',
    label: 'Represented members count for the quorum',
    checked: isTicked(entered, 'proxies_count'),
  })}</div>`;
}

function documentLine(one: unknown): string {
  const { title, url } = one as { title: string; url: string };
  return `${title} ${url}`;
}
