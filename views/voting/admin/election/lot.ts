import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredLines, enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { field, selectField } from '#views/components/forms.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { DrawnLot } from '#voting/shared/lots.ts';

/** The prefix of the fields with the places in which candidates were drawn. */
export const PLACE_FIELD = 'place_';

const WORDS = {
  order: { label: t('voting-admin.lot.order') },
  drawn_by: { label: t('voting-admin.lot.drawn_by'), hint: t('voting-admin.lot.person_who_took_out_slips') },
  witnesses: {
    label: t('voting-admin.lot.seen'),
    hint: t('voting-admin.lot.name_each_line_everybody_read'),
  },
};

export interface LotPageProps extends FormPageProps {
  election: { id: string; title: string };
  /** Those between whom a lot is to be drawn; undefined where none is. */
  tied: readonly { id: string; name: string }[] | undefined;
  /** What becomes of the first one drawn, in a sentence. */
  first: Words | string;
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
  const title = tied ? t('voting-admin.lot.draw_lot') : t('voting-admin.lot.lots');
  return formPage(props, {
    title,
    documentTitle: tied
      ? t('voting-admin.lot.draw_lot_for', { title: election.title })
      : t('voting-admin.lot.lots_of', { title: election.title }),
    lede: election.title,
    crumbs: [{ href: adminElectionPath(election.id), label: t('voting-admin.lot.election') }],
    words: WORDS,
    refused: t('voting-admin.lot.lot_entered_yet'),
    idOf: (path) => (path === 'order' ? `${PLACE_FIELD}${tied?.[0]?.id ?? ''}` : path.replace(/\.\d+$/, '')),
    body: html`${tied ? lotForm(props, tied) : html`<p>${t('voting-admin.lot.lot_awaited')}</p>`}
${
  lots.length > 0 &&
  html`<h2>${t('voting-admin.lot.drawn_far')}</h2><ol>${lots.map(
    ({ names, drawn_by, witnesses }) =>
      html`<li>${witnesses.length > 0 ? t('voting-admin.lot.drawn_seen', { names: html`<span translate="no">${names.join(', ')}</span>`, person: drawn_by, witnesses: allOf(witnesses) }) : t('voting-admin.lot.drawn_unseen', { names: html`<span translate="no">${names.join(', ')}</span>`, person: drawn_by })}</li>`,
  )}</ol>`
}
<p><a class="${tied ? 'link-alone' : 'button'}" href="${chair ?? adminElectionPath(election.id, 'results-preview')}">${
      chair ? t('voting-admin.lot.back_meeting') : t('voting-admin.lot.look_result')
    }</a></p>`,
  });
}

function lotForm(props: LotPageProps, tied: NonNullable<LotPageProps['tied']>): Html {
  const { election, first, announces, entered, errors } = props;
  const places = tied.map((_, at) => ({ value: String(at + 1), label: String(at + 1) }));
  const { at } = inputsOf(WORDS, props);
  const witnesses = at('witnesses');
  return html`<p>${t('voting-admin.lot.tied_draw_lot_where_everybody', { names: allOf(tied.map(({ name }) => name)) })}</p>
<form class="card" method="post" action="${adminElectionPath(election.id, 'lot')}">
<fieldset><legend>${t('voting-admin.lot.which_order_drawn')}</legend><p class="hint">${first}</p>
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
  label: html`${witnesses.label} <span class="optional">${t('voting-admin.lot.optional')}</span>`,
  value: enteredLines(entered, 'witnesses'),
  rows: 3,
})}
<p class="small soft">${sentences([
    t('voting-admin.lot.cannot_changed_afterwards'),
    announces && t('voting-admin.lot.announced_anew'),
  ])}</p>
<button class="button">${announces ? t('voting-admin.lot.enter_lot_announce_result') : t('voting-admin.lot.enter_lot')}</button></form>`;
}
