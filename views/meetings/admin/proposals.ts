import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { errorAt } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { disclosure } from '#views/components/structure.ts';

/** What officers see of nominations and of motions alike. */

type Tone = 'open' | 'scheduled' | 'danger' | undefined;

/** Where a proposal stands. @param accepted the word for one that is */
export function proposalBadge(state: ProposalState, accepted: Words): Html {
  const words: Record<ProposalState, [Words, Tone]> = {
    unconfirmed: [t('meetings-admin.proposals.confirmed_yet'), 'scheduled'],
    unseconded: [t('meetings-admin.proposals.seconders_missing'), 'scheduled'],
    ready: [t('meetings-admin.proposals.waits_decision'), 'scheduled'],
    accepted: [accepted, 'open'],
    refused: [t('meetings-admin.proposals.refused'), 'danger'],
    withdrawn: [t('meetings-admin.proposals.withdrawn'), undefined],
  };
  return badge(...words[state]);
}

/** Whether nothing is decided about it any more. */
export const isOver = (state: ProposalState): boolean => ['accepted', 'refused', 'withdrawn'].includes(state);

/** The mail of a call: without it only who opens the page of the meeting knows. @param at the address of the call */
export function mailCallForm(
  at: string,
  { mailed, called }: { mailed: Words | undefined; called: number },
): Html {
  return called === 0
    ? html`<p>${t('meetings-admin.proposals.who_vote_mail_address_here')}</p>`
    : html`${mailed && html`<p>${t('meetings-admin.proposals.call_mailed', { mailed })}</p>`}<form method="post" action="${at}/mail">${
        mailed && hiddenInputs({ again: 'true' })
      }<button class="button${mailed && ' button-quiet'}">${
        mailed
          ? t('meetings-admin.proposals.mail_call_again', { n: called })
          : t('meetings-admin.proposals.mail_call', { n: called })
      }</button></form>`;
}

/** Accepts everything that waits, where it is more than one. */
export function acceptAllForm(at: string, all: readonly { state: ProposalState }[]): Html | null {
  const waiting = all.filter(({ state }) => state === 'ready').length;
  if (waiting < 2) return null;
  return html`<form method="post" action="${at}/accept-all"><button class="button">${t('meetings-admin.proposals.accept_all', { waiting })}</button></form>`;
}

/** Accepts one, or refuses it with a reason. */
export function decisionForms(
  path: string,
  { id, name, state }: { id: string; name: string; state: ProposalState },
  { label, hint, refused }: { label: Words | string; hint?: Child; refused: RefusedForm | undefined },
): Html {
  return html`${
    state === 'ready' &&
    html`<form method="post" action="${path}">${hiddenInputs({ decision: 'accept' })}
<button class="button">${t('meetings-admin.proposals.accept', { hidden, name })}</button></form>`
  }${disclosure(
    t('meetings-admin.proposals.refuse_name', { hidden, name }),
    html`<form method="post" action="${path}">${hiddenInputs({ decision: 'refuse' })}
${field({ name: 'reason', id: `reason-${id}`, label, hint, maxlength: 500, error: refused && errorAt(refused.errors, 'reason') })}
<button class="button button-danger">${t('meetings-admin.proposals.refuse')}</button></form>`,
  )}`;
}
