import { type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { enteredText, errorAt, isTicked } from '#views/voting/admin/entered.ts';
import { openField, tickBox } from '#views/voting/admin/fields.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { counted } from '#views/voting/words.ts';
import { type ElectionDesk, problemOf } from './desk.ts';

type Kind = 'candidate' | 'option';

/** Candidates or options with their order; a yes-or-no election has neither. */
export function optionsSection(desk: ElectionDesk, said: Html | null): Html | null {
  const { election, options, ballots } = desk;
  if (election.ballot_type === 'SIMPLE_TRIPLE') return null;
  const kind: Kind = election.ballot_type === 'POLL' ? 'option' : 'candidate';
  const editable = ballots === 0 && options.every((option) => option.editable);
  return deskSection({
    id: `${kind}s`,
    title: kind === 'option' ? 'Options' : 'Candidates',
    about: election.settings.randomize_order
      ? 'Each voter sees them in an order of their own.'
      : 'Voters see them in this order: the lowest number first.',
    work: html`${said}${options.length === 0 ? html`<p>There are no ${kind}s yet.</p>` : optionTable(desk, kind, editable)}
${
  editable
    ? html`${kind === 'option' && options.length <= 2 && html`<p class="soft">A poll needs at least two options. To replace one, add the new one first.</p>`}${addForm(desk, kind)}`
    : html`<p class="soft">${ballots === 0 ? 'Ballots are in' : `${counted(ballots, 'ballot')} ${ballots === 1 ? 'is' : 'are'} in`}, so this list is fixed: what was voted on stays what it was.</p>`
}`,
  });
}

function optionTable({ election, options }: ElectionDesk, kind: Kind, editable: boolean): Html {
  const removable = editable && (kind === 'candidate' || options.length > 2);
  const columns = [{ label: kind === 'option' ? 'Option' : 'Candidate' }, { label: 'Order', number: true }];
  return table({
    caption: kind === 'option' ? 'Options' : 'Candidates',
    quietCaption: true,
    columns: removable ? [...columns, { label: 'Remove', quiet: true }] : columns,
    rows: options.map(({ id, name, display_order, is_none_of_the_above }) => [
      html`${name}${is_none_of_the_above && name.toLowerCase() !== 'none of the above' && html` ${badge('None of the above')}`}`,
      display_order,
      ...(removable
        ? [
            html`<form method="post" action="${deskPath(election.id, `${kind}s/${id}?_method=DELETE`)}"><button class="button button-danger-quiet button-small">Remove<span class="visually-hidden"> ${name}</span></button></form>`,
          ]
        : []),
    ]),
  });
}

function addForm(desk: ElectionDesk, kind: Kind): Html {
  const form = `${kind}s` as const;
  const { errors, entered = {} } = problemOf(desk, form);
  const at = (name: string) => ({
    name,
    id: `${form}-${name}`,
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  const none = kind === 'candidate' && !desk.options.some((option) => option.is_none_of_the_above);
  return html`<form class="card" method="post" action="${deskPath(desk.election.id, form)}">
<h3>Add ${kind === 'option' ? 'an option' : 'a candidate'}</h3>
<div class="field-row">
${field({ ...at('name'), label: 'Name', maxlength: 300, autocomplete: 'off' })}
${openField({ ...at('display_order'), label: html`Order <span class="optional">(optional)</span>`, type: 'number', short: true })}
</div>
${none && html`<div class="choices choices-plain">${tickBox({ name: 'is_none_of_the_above', id: 'candidates-is_none_of_the_above', label: 'It is “None of the above”', note: 'Whoever is ranked below it is not acceptable to that voter.', checked: isTicked(entered, 'is_none_of_the_above') })}</div>`}
<p class="hint">Without an order it goes to the end.</p>
<button class="button button-quiet">Add</button></form>`;
}
