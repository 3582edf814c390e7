import { type Html, html } from '#kernel/html.ts';
import { enteredLines, enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { field, selectField } from '#views/components/forms.ts';
import { listed } from '#views/components/numbers.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { DrawnLot } from '#voting/shared/lots.ts';

/** The prefix of the fields with the places in which candidates were drawn. */
export const PLACE_FIELD = 'place_';

const WORDS = {
  order: { label: 'The order' },
  drawn_by: { label: 'Drawn by', hint: 'The person who took out the slips.' },
  witnesses: {
    label: 'Seen by',
    hint: 'One name on each line. Everybody can read these names beside the result.',
  },
};

export interface LotPageProps extends FormPageProps {
  election: { id: string; title: string };
  /** Those between whom a lot is to be drawn; undefined where none is. */
  tied: readonly { id: string; name: string }[] | undefined;
  /** What becomes of the first one drawn, in a sentence. */
  first: string;
  /** The lots so far, with the names in their order. */
  lots: readonly (Omit<DrawnLot, 'order'> & { names: readonly string[] })[];
  /** Whether the result was announced as a tie: entering the lot announces the other one. */
  announces: boolean;
  /** The chair's page, in a meeting. */
  chair: string | undefined;
}

/** The page to enter a lot that was drawn, or the lots of an election. */
export function lotPage(props: LotPageProps): Html {
  const { election, tied, lots, chair } = props;
  const title = tied ? 'Draw a lot' : 'Lots';
  return formPage(props, {
    title,
    documentTitle: `${title}: ${election.title}`,
    lede: election.title,
    crumbs: [{ href: adminElectionPath(election.id), label: 'This election' }],
    words: WORDS,
    refused: 'The lot was not entered yet',
    idOf: (path) => (path === 'order' ? `${PLACE_FIELD}${tied?.[0]?.id ?? ''}` : path.replace(/\.\d+$/, '')),
    body: html`${tied ? lotForm(props, tied) : html`<p>No lot is awaited.</p>`}
${
  lots.length > 0 &&
  html`<h2>Drawn so far</h2><ol>${lots.map(
    ({ names, drawn_by, witnesses }) =>
      html`<li><span translate="no">${names.join(', ')}</span>. Drawn by ${drawn_by}${
        witnesses.length > 0 && `, seen by ${listed(witnesses)}`
      }.</li>`,
  )}</ol>`
}
<p><a class="${tied ? 'link-alone' : 'button'}" href="${chair ?? adminElectionPath(election.id, 'results-preview')}">${
      chair ? 'Back to the meeting' : 'Look at the result'
    }</a></p>`,
  });
}

function lotForm(props: LotPageProps, tied: NonNullable<LotPageProps['tied']>): Html {
  const { election, first, announces, entered, errors } = props;
  const places = tied.map((_, at) => ({ value: String(at + 1), label: String(at + 1) }));
  const { at } = inputsOf(WORDS, props);
  const witnesses = at('witnesses');
  return html`<p>${listed(tied.map(({ name }) => name))} are tied. Draw the lot where
everybody can see it: write each name on a slip, mix them, and take them out one by one.</p>
<form class="card" method="post" action="${adminElectionPath(election.id, 'lot')}">
<fieldset><legend>In which order were they drawn?</legend><p class="hint">${first}</p>
${tied.map(({ id, name }, index) =>
  selectField({
    name: `${PLACE_FIELD}${id}`,
    label: name,
    value: enteredText(entered, `${PLACE_FIELD}${id}`),
    error: index === 0 ? errorAt(errors, 'order') : undefined,
    options: [{ value: '', label: '–' }, ...places],
  }),
)}</fieldset>
${field({ ...at('drawn_by'), maxlength: 200 })}
${openField({
  ...witnesses,
  label: html`${witnesses.label} <span class="optional">(optional)</span>`,
  value: enteredLines(entered, 'witnesses'),
  rows: 3,
})}
<p class="small soft">It cannot be changed afterwards.${announces && ' The result is announced anew with it.'}</p>
<button class="button">${announces ? 'Enter the lot and announce the result' : 'Enter the lot'}</button></form>`;
}
