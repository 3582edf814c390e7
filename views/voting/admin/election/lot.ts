import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredLines, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { field, selectField } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { listed } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { DrawnLot } from '#voting/shared/lots.ts';

/** The prefix of the fields with the places in which candidates were drawn. */
export const PLACE_FIELD = 'place_';

export interface LotPageProps extends OfficerProps {
  election: { id: string; title: string };
  /** Those between whom a lot is to be drawn; undefined where none is. */
  tied: readonly { id: string; name: string }[] | undefined;
  /** What becomes of the first one drawn, in a sentence. */
  first: string;
  /** The lots so far, with the names in their order. */
  lots: readonly (Omit<DrawnLot, 'order'> & { names: readonly string[] })[];
  /** The chair's page, in a meeting. */
  chair: string | undefined;
  entered: Entered;
  errors: readonly FieldError[];
}

/** The page to enter a lot that was drawn, or the lots of an election. */
export function lotPage(props: LotPageProps): Html {
  const { election, tied, lots, chair, errors, viewer } = props;
  const title = tied ? 'Draw a lot' : 'Lots';
  const idOf = (path: string) =>
    path === 'order' ? `${PLACE_FIELD}${tied?.[0]?.id ?? ''}` : path.replace(/\.\d+$/, '');
  const named = namedErrors(errors, { order: 'The order', drawn_by: 'Drawn by', witnesses: 'Seen by' });
  const body = html`${errorSummary(named, idOf, 'The lot was not entered yet')}
${pageHeader({
  title,
  lede: election.title,
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: adminElectionPath(election.id), label: 'This election' },
  ],
})}
${tied ? lotForm(props, tied) : html`<p>No lot is awaited.</p>`}
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
  }</a></p>`;
  return officerPage({ title: `${title}: ${election.title}`, body, nav: '/admin', viewer });
}

function lotForm(
  { election, first, entered, errors }: LotPageProps,
  tied: NonNullable<LotPageProps['tied']>,
): Html {
  const places = tied.map((_, at) => ({ value: String(at + 1), label: String(at + 1) }));
  const at = (name: string) => ({ name, value: enteredText(entered, name), error: errorAt(errors, name) });
  return html`<p>${listed(tied.map(({ name }) => name))} are tied, and the rules ask for a lot. Draw it where
everybody can see it: write each name on a slip, mix them, and take them out one by one.</p>
<form class="card" method="post" action="${adminElectionPath(election.id, 'lot')}">
<fieldset><legend>In which order were they drawn?</legend><p class="hint">${first}</p>
${tied.map(({ id, name }, index) =>
  selectField({
    ...at(`${PLACE_FIELD}${id}`),
    label: name,
    error: index === 0 ? errorAt(errors, 'order') : undefined,
    options: [{ value: '', label: '–' }, ...places],
  }),
)}</fieldset>
${field({ ...at('drawn_by'), label: 'Drawn by', hint: 'The person who took out the slips.', maxlength: 200 })}
${openField({
  name: 'witnesses',
  label: html`Seen by <span class="optional">(optional)</span>`,
  hint: 'One name on each line. Everybody can read these names beside the result.',
  value: enteredLines(entered, 'witnesses'),
  error: errors.find(({ path }) => path.startsWith('witnesses'))?.message,
  rows: 3,
})}
<p class="small soft">It cannot be changed afterwards.</p>
<button class="button">Enter the lot</button></form>`;
}
