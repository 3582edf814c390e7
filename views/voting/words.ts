import type { Child } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatPercent, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import type { Channels } from '#voting/elections/turnout.ts';
import type { HiddenBecause } from '#voting/elections/visibility.ts';
import { shareOfWords } from '#voting/share-words.ts';
import { LISTED_FROM, listedFrom } from '#voting/shared/ballot-file.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';

/** A share of 0 to 1 as a percentage. */
export function percent(share: number): Words {
  return formatPercent(share, 1);
}

/** A choice that is stored as a word. */
export const CHOICE_WORDS = {
  yes: t('voting.words.yes'),
  no: t('voting.words.no'),
  abstain: t('voting.words.abstain'),
  blank: t('voting.words.blank'),
} as const;

/** The same within a line. */
export const ANSWER_WORDS = {
  yes: t('voting.answers.yes'),
  no: t('voting.answers.no'),
  abstain: t('voting.answers.abstain'),
  blank: t('voting.answers.blank'),
} as const;

/** A blank ballot in words. */
export const BLANK_WORDS = t('voting.words.blank_ballot_counts_taking_part');

/** What the quorum is, in a sentence; null without one. */
export function quorumSentence({
  quorum,
  quorum_share,
}: Pick<ElectionSettings, 'quorum' | 'quorum_share'>): Words | null {
  if (quorum_share !== null)
    return t('voting.words.result_counts_only_electors_vote', {
      share: shareOfWords({ share: quorum_share, of: 'electors' }),
    });
  return quorum === null ? null : t('voting.words.result_counts_only_people_vote', { quorum });
}

/** The warning about live results, on the officers' form and on every ballot. */
export const LIVE_WORDS = t('voting.words.figures_public_while_voting_open');

/** The warning about a vote of few people, on every ballot and the officers' page. */
export const FEW_WORDS = t('voting.words.fewer_five_people_voting_code');

/** What can give a vote away although nothing stored does, in sentences; empty for most elections. */
export function secrecyLimits({ election: { settings }, few }: Secrecy): Words[] {
  return [...(settings.hide_results_until_close ? [] : [LIVE_WORDS]), ...(few ? [FEW_WORDS] : [])];
}

const ONLY_CODE = t('voting.words.without_code_tell_which_ballot');

/** What a code to check the count tells others, in sentences; empty without codes. */
const CODE_WORDS = {
  off: [],
  included: [ONLY_CODE],
  content: [ONLY_CODE, t('voting.words.anyone_who_sees_code_find')],
} as const;

/** What a mail says about what can give the vote away on its ballot, in sentences; empty for most elections. */
export function mailedLimits(secrecy: Secrecy): Words[] {
  const coded = CODE_WORDS[secrecy.election.settings.receipts];
  const codes = coded.length > 0 ? [t('voting.words.get_code_check_count_when'), ...coded] : [];
  return [...codes, ...secrecyLimits(secrecy)];
}

/** What a mail promises about several ballots: no more than each of them does. Empty where one has limits. */
export function mailedPromise(ballots: readonly Secrecy[]): Words | '' {
  if (ballots.some((secrecy) => mailedLimits(secrecy).length > 0)) return '';
  return ballots.some(({ few }) => few === undefined)
    ? t('voting.words.each_ballot_says_what_stored')
    : t('voting.words.look_up_how_voted');
}

/** What a mail says about the secrecy of its ballot: the promise, or what limits it. */
export const secrecyInShort = (secrecy: Secrecy): Words | '' =>
  sentences(mailedLimits(secrecy)) ?? mailedPromise([secrecy]);

/**
 * Explains the secrecy of the ballot. With codes, a ballot also holds a mark.
 */
export function secrecyWords({
  settings: { receipts, publish_ballots },
  candidates = [],
}: Secrecy['election']): Words | '' {
  const from = listedFrom(publish_ballots, candidates.length);
  return (
    sentences([
      t('voting.words.record_voted_how'),
      receipts === 'off'
        ? t('voting.words.ballot_holds_choice_nothing_else')
        : t('voting.words.ballot_holds_choice_mark_fits'),
      ...CODE_WORDS[receipts],
      from !== undefined &&
        (from === 100 ? t('voting.words.listed_from_hundred') : t('voting.words.listed_from_ten')),
    ]) ?? ''
  );
}

/**
 * Whether an election publishes rankings of so few voters that these can be recognised, because an officer decided so.
 * @param issued how many voting codes were made
 */
export function listsSignatures(
  { settings, candidates = [] }: Pick<ElectionJson, 'settings' | 'candidates'>,
  issued: number,
): boolean {
  const usual = listedFrom(null, candidates.length) ?? 0;
  return settings.publish_ballots === true && usual > LISTED_FROM && issued < usual;
}

/** What stands in place of a result that waits for its announcement. */
export const NOT_ANNOUNCED = t('voting.words.voting_closed_result_announced');

/** What stands in place of an outcome that nobody sees yet. */
export const NOT_SHOWN: Readonly<Record<Exclude<HiddenBecause, 'results_hidden'>, Words>> = {
  results_not_announced: NOT_ANNOUNCED,
  results_withheld: t('voting.words.results_withheld'),
  papers_awaited: t('voting.words.papers_awaited'),
};

/**
 * When the result of an election is shown, in a sentence, for pages without it.
 * @param why why its figures are hidden now @param closes when voting closes, already formatted
 */
export function resultsWhen(
  why: HiddenBecause | undefined,
  { announce }: Pick<ElectionSettings, 'announce'>,
  closes: Words | string,
): Words {
  if (why !== undefined && why !== 'results_hidden') return NOT_SHOWN[why];
  return announce === 'by_officer'
    ? t('voting.words.result_announced_after_voting_closes', { closes })
    : t('voting.words.result_appears_here_when_voting', { closes });
}

/** The address of an officer's page of an election, or of a page below it. */
export function adminElectionPath(id: string, under = ''): string {
  return `/admin/elections/${encodeURIComponent(id)}${under && `/${under}`}`;
}

/** An election or a ballot paper, as officers’ pages name it. */
export interface Named {
  id: string;
  title: string;
  isPaper?: boolean | undefined;
  /** The meeting that it belongs to. */
  meeting?: OfMeeting | undefined;
}

/** A meeting as it is shown on pages about its votes. */
export interface OfMeeting {
  title: string;
  href: string;
  /** The links to its pages. */
  pages: readonly { href: string; label: Child; anchors: readonly string[] }[];
}

/** The address of an officer's page of an election or a ballot paper, or of a page below it. */
export const adminPath = ({ id, isPaper }: Pick<Named, 'id' | 'isPaper'>, under = ''): string =>
  isPaper ? `/admin/papers/${encodeURIComponent(id)}${under && `/${under}`}` : adminElectionPath(id, under);

/** The sub-pages of the officers’ page of an election or a ballot paper; all but the first end its address. */
export const SUB_PAGES = ['overview', 'codes', 'mails', 'ballot', 'rules', 'checks', 'history'] as const;
export type SubPage = (typeof SUB_PAGES)[number];

/** A section of these pages, as the address names it after `#`. */
export type SectionId =
  | 'questions'
  | 'tokens'
  | 'invitations'
  | 'text'
  | 'translations'
  | `${OptionKind}s`
  | 'dates'
  | 'settings'
  | 'checks'
  | 'attachments'
  | 'results'
  | 'workspace'
  | 'history'
  | 'ending';

/** The sub-page that each section is on. */
export const PAGE_OF: Readonly<Record<SectionId, SubPage>> = {
  questions: 'overview',
  results: 'overview',
  workspace: 'overview',
  ending: 'overview',
  tokens: 'codes',
  invitations: 'mails',
  text: 'ballot',
  translations: 'ballot',
  candidates: 'ballot',
  options: 'ballot',
  attachments: 'ballot',
  dates: 'rules',
  settings: 'rules',
  checks: 'checks',
  history: 'history',
};

/** The address of a sub-page. */
export const subPagePath = (of: Pick<Named, 'id' | 'isPaper'>, page: SubPage): string =>
  adminPath(of, page === 'overview' ? '' : page);

/** The address of a section, on its sub-page. */
export const sectionPath = (of: Pick<Named, 'id' | 'isPaper'>, section: SectionId, query = ''): string =>
  `${subPagePath(of, PAGE_OF[section])}${query}#${section}`;

/** A destructive act that has to be confirmed, and the section that it begins in. */
export const ASKED_IN = {
  close: 'ending',
  delete: 'ending',
  batch: 'tokens',
  computed: 'results',
} as const satisfies Record<string, SectionId>;

/** The address of the sub-page that asks for the confirmation of a destructive act. */
export function askPath(
  of: Pick<Named, 'id' | 'isPaper'>,
  kind: keyof typeof ASKED_IN,
  batch: string | null = null,
): string {
  const which = batch === null ? '' : `&batch=${encodeURIComponent(batch)}`;
  return `${subPagePath(of, PAGE_OF[ASKED_IN[kind]])}?ask=${kind}${which}#ask`;
}

/** The address of the voters’ page. */
export const votersPath = ({ id, isPaper }: Pick<Named, 'id' | 'isPaper'>): string =>
  `/${isPaper ? 'p' : 'e'}/${id}`;

/** What it is, for a text that names it: an election, else a ballot paper. */
export const calledOf = ({ isPaper }: Pick<Named, 'isPaper'>): 'paper' | 'other' =>
  isPaper ? 'paper' : 'other';

/** What voters choose from, for a text that names it: a candidate, else an option. */
export const optionCode = (kind: OptionKind): 'candidate' | 'other' =>
  kind === 'candidate' ? 'candidate' : 'other';

/** What voters choose from, in words. */
export const OPTION_WORDS: Record<OptionKind, { one: Words; many: Words; add: Words }> = {
  option: {
    one: t('voting-admin.options.option'),
    many: t('voting-admin.options.options'),
    add: t('voting-admin.options.new_option'),
  },
  candidate: {
    one: t('voting-admin.options.candidate'),
    many: t('voting-admin.options.candidates'),
    add: t('voting-admin.options.new_candidate'),
  },
};

/** The labels of the settings, in a summary of errors and in the history. */
export const SETTINGS_LABELS: Readonly<Record<string, Words>> = {
  'settings.hide_results_until_close': t('voting.words.when_figures_shown'),
  'settings.publish_results_to_home': t('voting.words.home_page'),
  'settings.poll_response_type': t('voting.words.answers_poll'),
  'settings.ranking': t('voting.words.rankings'),
  'settings.seats': t('voting.words.seats'),
  'settings.max_choices': t('voting.words.most_choices'),
  'settings.min_choices': t('voting.words.fewest_choices'),
  'settings.max_yes': t('voting.words.most_yes_ballot'),
  'settings.threshold': t('voting.words.votes_needed_seat'),
  'settings.quorum': t('voting.words.quorum'),
  'settings.quorum_share': t('voting.words.quorum'),
  'settings.majority': t('voting.words.majority'),
  'settings.allow_blank': t('voting.words.blank_ballots'),
  'settings.inclusion_codes': t('voting.words.codes_check_count'),
  'settings.receipts': t('voting.words.codes_check_count'),
  'settings.publish_ballots': t('voting.words.list_ballots'),
  'settings.randomize_order': t('voting.words.order_ballot'),
  'settings.announce': t('voting.words.announcing_result'),
  'settings.lot': t('voting.words.lots'),
};

/** `98 voted online, 12 on paper.`: numbers of people, never what is on the ballots. */
export const channelsSentence = ({ online, paper }: Channels): Words =>
  t('voting.words.voted_online_paper', { online, paper });

export const invalidSentence = (invalid: number): Words => t('voting.words.papers_invalid', { invalid });
