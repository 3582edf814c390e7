import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { contactLink } from '#views/components/contact.ts';
import { asWritten } from '#views/components/language.ts';
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
  back?: { href: string; label: Words | string } | undefined;
  state: TokenState;
  status: ElectionStatus;
  /** Whether the opening was moved into the future after the first ballot. */
  paused?: boolean | undefined;
  /** The code from the address. */
  code: string;
  /** When voting opens and closes, already formatted. */
  opens: Words | string;
  closes: Words | string;
  /** Whom to ask about a code: an e-mail address or free text, if the club has given one. */
  contact: string | null;
  /** Set if the election is void. */
  voided?: VoidJson | undefined;
}

const HEADINGS: Record<TokenState, Words> = {
  missing: t('voting.token_state.enter_voting_code'),
  invalid: t('voting.token_state.code_open_ballot'),
  withdrawn: t('voting.token_state.code_withdrawn'),
  replaced: t('voting.token_state.code_replaced'),
  used: t('voting.token_state.ballot_already_recorded_link'),
  not_open: t('voting.token_state.voting_opened_yet'),
  closed: t('voting.token_state.voting_has_closed'),
  too_late: t('voting.token_state.ballot_counted'),
  no_candidates: t('voting.token_state.ballot_ready_yet'),
};

const ADVICE: Record<TokenState, readonly [NoticeKind, Words]> = {
  missing: ['info', t('voting.token_state.code_slip_end_link_mail')],
  invalid: ['danger', t('voting.token_state.check_copied_whole_belongs_election')],
  withdrawn: ['attention', t('voting.token_state.officer_withdrew_before_used_opens')],
  replaced: ['attention', t('voting.token_state.officer_made_new_code_ended')],
  used: ['info', t('voting.token_state.all_well_vote_counts_tell')],
  not_open: ['attention', t('voting.token_state.link_good_keep_open_again')],
  closed: ['info', t('voting.token_state.more_ballots_accepted_elections_page')],
  too_late: ['attention', t('voting.token_state.voting_closed_before_ballot_arrived')],
  no_candidates: ['attention', t('voting.token_state.rank_yet_link_stays_good')],
};

/** The heading of a state, which is also its short name. */
export function tokenHeading(state: TokenState): Words {
  return HEADINGS[state];
}

/** The page in place of a ballot: the form for the code, or advice. */
export function tokenStatePage(props: TokenStateProps): Html {
  const { election, state, status, code, opens, closes, contact } = props;
  const { back = { href: `/e/${election.id}`, label: t('voting.token_state.about_election') } } = props;
  const isPaused = props.paused === true && state === 'not_open';
  const heading = isPaused ? t('voting.token_state.voting_paused') : HEADINGS[state];
  const body = html`${pageHeader({
    title: heading,
    lede: asWritten(election.title),
    crumbs: [back],
  })}
${props.voided && voidNotice(props.voided)}
${isPaused ? notice('attention', t('voting.token_state.ballots_cast_stay_link_good')) : tokenAdvice(state)}
${(state === 'withdrawn' || state === 'replaced') && contact !== null && html`<p>${t('voting.token_state.ask_here', { contact: contactLink(contact) })}</p>`}
${(state === 'missing' || state === 'invalid') && codeForm({ text: code })}
${definitionList([
  [
    isPaused
      ? t('voting.token_state.voting_resumes')
      : status === 'scheduled'
        ? t('voting.token_state.voting_opens')
        : t('voting.token_state.voting_opened'),
    opens,
  ],
  [
    status === 'closed' ? t('voting.token_state.voting_closed') : t('voting.token_state.voting_closes'),
    closes,
  ],
])}
<p><a class="button button-quiet" href="${back.href}">${
    props.back ? back.label : t('voting.token_state.elections_page')
  }</a></p>`;
  return page({ title: t('voting.token_state.title', { heading, title: election.title }), body });
}

/** The advice for a state; `title` is for pages whose heading does not say the state. */
export function tokenAdvice(state: TokenState, title?: Words): Html {
  const [kind, text] = ADVICE[state];
  return notice(kind, text, title);
}
