import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { errorAt } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure } from '#views/components/structure.ts';

/** What officers see of nominations and of motions alike. */

type Tone = 'open' | 'scheduled' | 'danger' | undefined;

/** Where a proposal stands. @param accepted the word for one that is */
export function proposalBadge(state: ProposalState, accepted: string): Html {
  const words: Record<ProposalState, [string, Tone]> = {
    unconfirmed: ['Not confirmed yet', 'scheduled'],
    unseconded: ['Seconders missing', 'scheduled'],
    ready: ['Waits for your decision', 'scheduled'],
    accepted: [accepted, 'open'],
    refused: ['Refused', 'danger'],
    withdrawn: ['Withdrawn', undefined],
  };
  return badge(...words[state]);
}

/** Whether nothing is decided about it any more. */
export const isOver = (state: ProposalState): boolean => ['accepted', 'refused', 'withdrawn'].includes(state);

/** The mail of a call: without it only who opens the page of the meeting knows. @param at the address of the call */
export function mailCallForm(
  at: string,
  { mailed, called }: { mailed: string | undefined; called: number },
): Html {
  const to = counted(called, 'member');
  return called === 0
    ? html`<p>Nobody who may vote has a mail address here.</p>`
    : html`${mailed && html`<p>The call was mailed on ${mailed}.</p>`}<form method="post" action="${at}/mail">${
        mailed && hiddenInputs({ again: 'true' })
      }<button class="button${mailed && ' button-quiet'}">${
        mailed ? `Mail the call to ${to} again` : `Mail the call to ${to}`
      }</button></form>`;
}

/** Accepts everything that waits, where it is more than one. */
export function acceptAllForm(at: string, all: readonly { state: ProposalState }[]): Html | null {
  const waiting = all.filter(({ state }) => state === 'ready').length;
  if (waiting < 2) return null;
  return html`<form method="post" action="${at}/accept-all"><button class="button">Accept all ${waiting}</button></form>`;
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
<button class="button">Accept<span class="visually-hidden"> ${name}</span></button></form>`
  }${disclosure(
    html`Refuse<span class="visually-hidden"> ${name}</span>`,
    html`<form method="post" action="${path}">${hiddenInputs({ decision: 'refuse' })}
${field({ name: 'reason', id: `reason-${id}`, label, hint, maxlength: 500, error: refused && errorAt(refused.errors, 'reason') })}
<button class="button button-danger">Refuse</button></form>`,
  )}`;
}
