import { type Html, html } from '#kernel/html.ts';
import { contactLink } from '#views/components/contact.ts';
import { type NoticeKind, notice } from '#views/components/notices.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import type { VoidJson } from '#voting/elections/void.ts';
import { voidNotice } from './results/results.ts';
import { codeForm } from './typed-code.ts';

/** Why there is no ballot to show. */
export type TokenState =
  | 'missing'
  | 'invalid'
  | 'withdrawn'
  | 'replaced'
  | 'used'
  | 'not_open'
  | 'closed'
  | 'too_late'
  | 'no_candidates';

/** The data of a ballot page that has no ballot. */
export interface TokenStateProps {
  election: { id: string; title: string };
  /** Of a ballot paper: where it leads back to. */
  back?: { href: string; label: string } | undefined;
  state: TokenState;
  status: ElectionStatus;
  /** Whether the opening was moved into the future after the first ballot. */
  paused?: boolean | undefined;
  /** The code from the address. */
  code: string;
  /** When voting opens and closes, already formatted. */
  opens: string;
  closes: string;
  /** Whom to ask about a code: an e-mail address or free text, if the club has given one. */
  contact: string | null;
  /** Set if the election is void. */
  voided?: VoidJson | undefined;
}

const HEADINGS: Record<TokenState, string> = {
  missing: 'Enter your voting code',
  invalid: 'This code does not open a ballot',
  withdrawn: 'This code was withdrawn',
  replaced: 'This code was replaced',
  used: 'A ballot was already recorded with this link',
  not_open: 'Voting has not opened yet',
  closed: 'Voting has closed',
  too_late: 'Your ballot was not counted',
  no_candidates: 'The ballot is not ready yet',
};

const ADVICE: Record<TokenState, readonly [NoticeKind, string]> = {
  missing: [
    'info',
    'The code is on your slip, or at the end of the link in your mail. Opening that link fills it in for you.',
  ],
  invalid: [
    'danger',
    'Check that it was copied whole, and that it belongs to this election. If it still does not open, ' +
      'ask the officer who sent it for a new one.',
  ],
  withdrawn: [
    'attention',
    'An officer withdrew it before it was used, so it opens no ballot any more. If you should have a ' +
      'vote here, ask an officer of the club.',
  ],
  replaced: [
    'attention',
    'An officer made a new code for you and this one ended. Use the newest mail, or the slip that you ' +
      'were given. If you have neither, ask an officer of the club.',
  ],
  used: [
    'info',
    'If that was you, all is well: your vote counts. If it was not you, tell an officer at once.',
  ],
  not_open: ['attention', 'Your link is good. Keep it, and open it again when voting has begun.'],
  closed: ['info', 'No more ballots are accepted. The election’s page says when the result can be seen.'],
  too_late: [
    'attention',
    'Voting closed before your ballot arrived. No more ballots are accepted. The election’s page says when ' +
      'the result can be seen.',
  ],
  no_candidates: [
    'attention',
    'There is nobody to rank yet. Your link stays good: open it again later, or ask an officer.',
  ],
};

/** The heading of a state, which is also its short name. */
export function tokenHeading(state: TokenState): string {
  return HEADINGS[state];
}

/** The page in place of a ballot: the form for the code, or advice. */
export function tokenStatePage(props: TokenStateProps): Html {
  const { election, state, status, code, opens, closes, contact } = props;
  const { back = { href: `/e/${election.id}`, label: 'About this election' } } = props;
  const isPaused = props.paused === true && state === 'not_open';
  const heading = isPaused ? 'Voting is paused' : HEADINGS[state];
  const body = html`${pageHeader({
    title: heading,
    lede: election.title,
    crumbs: [back],
  })}
${props.voided && voidNotice(props.voided)}
${
  isPaused
    ? notice(
        'attention',
        'Ballots that were cast stay in. Your link is good: open it again when voting resumes.',
      )
    : tokenAdvice(state)
}
${(state === 'withdrawn' || state === 'replaced') && contact !== null && html`<p>Ask here: ${contactLink(contact)}</p>`}
${(state === 'missing' || state === 'invalid') && codeForm({ text: code })}
${definitionList([
  [isPaused ? 'Voting resumes' : status === 'scheduled' ? 'Voting opens' : 'Voting opened', opens],
  [status === 'closed' ? 'Voting closed' : 'Voting closes', closes],
])}
<p><a class="button button-quiet" href="${back.href}">${
    props.back ? back.label : 'To the election’s page'
  }</a></p>`;
  return page({ title: `${heading}: ${election.title}`, body });
}

/** The advice for a state; `title` is for pages whose heading does not say the state. */
export function tokenAdvice(state: TokenState, title?: string): Html {
  const [kind, text] = ADVICE[state];
  return notice(kind, text, title);
}
