import type { Child } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { formatPercent } from '#kernel/locale.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { count, counted } from '#views/components/numbers.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import type { Channels } from '#voting/elections/turnout.ts';
import type { HiddenBecause } from '#voting/elections/visibility.ts';
import { LISTED_FROM, listedFrom } from '#voting/shared/ballot-file.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import { shareWords } from '#voting/shared/share.ts';

/** A share of 0 to 1 as a percentage. */
export function percent(share: number): string {
  return formatPercent(share, 1);
}

/** A choice that is stored as a word. */
export const CHOICE_WORDS = { yes: 'Yes', no: 'No', abstain: 'Abstain', blank: 'Blank' } as const;

/** A blank ballot in words. */
export const BLANK_WORDS = 'A blank ballot: it counts as taking part, and for no side.';

/** What the quorum is, in a sentence; null without one. */
export function quorumSentence({
  quorum,
  quorum_share,
}: Pick<ElectionSettings, 'quorum' | 'quorum_share'>): string | null {
  if (quorum_share !== null)
    return `The result counts only if ${shareWords(quorum_share)} of the electors vote.`;
  return quorum === null
    ? null
    : `The result counts only if ${counted(quorum, 'person votes', 'people vote')}.`;
}

/** The warning about live results, on the officers' form and on every ballot. */
export const LIVE_WORDS =
  'The figures are public while voting is open. Someone who sees them change when you vote can learn your vote.';

/** The warning about a vote of few people, on every ballot and the officers' page. */
export const FEW_WORDS =
  'Fewer than five people have a voting code. The result alone can show how each of them voted, or let it be guessed.';

/** What can give a vote away although nothing stored does, in sentences; empty for most elections. */
export function secrecyLimits({ election: { settings }, few }: Secrecy): string[] {
  return [...(settings.hide_results_until_close ? [] : [LIVE_WORDS]), ...(few ? [FEW_WORDS] : [])];
}

const ONLY_CODE = 'Nobody without your code can tell which ballot is yours.';

/** What a code to check the count tells others, in sentences; empty without codes. */
const CODE_WORDS = {
  off: [],
  included: [ONLY_CODE],
  content: [ONLY_CODE, 'Anyone who sees your code can find out how you voted.'],
} as const;

/** What a mail says about what can give the vote away on its ballot, in sentences; empty for most elections. */
export function mailedLimits(secrecy: Secrecy): string[] {
  const coded = CODE_WORDS[secrecy.election.settings.receipts];
  const codes = coded.length > 0 ? ['You get a code to check the count when you vote.', ...coded] : [];
  return [...codes, ...secrecyLimits(secrecy)];
}

/** What a mail promises about several ballots: no more than each of them does. Empty where one has limits. */
export function mailedPromise(ballots: readonly Secrecy[]): string {
  if (ballots.some((secrecy) => mailedLimits(secrecy).length > 0)) return '';
  return ballots.some(({ few }) => few === undefined)
    ? 'Each ballot says what is stored of your vote.'
    : 'Nobody can look up how you voted.';
}

/** What a mail says about the secrecy of its ballot: the promise, or what limits it. */
export const secrecyInShort = (secrecy: Secrecy): string =>
  mailedLimits(secrecy).join(' ') || mailedPromise([secrecy]);

/**
 * Explains the secrecy of the ballot. With codes, a ballot also holds a mark.
 */
export function secrecyWords({
  settings: { receipts, publish_ballots },
  candidates = [],
}: Secrecy['election']): string {
  const recorded = 'We record that you voted, not how.';
  const bare = 'no name, no address and no time';
  const coded = `Your ballot holds your choice and a mark that fits a code which only you are shown: ${bare}. ${CODE_WORDS[receipts].join(' ')}`;
  const holds = {
    off: `Your ballot holds your choice and nothing else: ${bare}. So nobody can look up how you voted.`,
    included: coded,
    content: coded,
  };
  const from = listedFrom(publish_ballots, candidates.length);
  const list = from
    ? ` If there are ${
        from === 100 ? 'a hundred' : 'ten'
      } ballots or more, all of them are listed after the close, so that everybody can count them. Their order says nothing about who voted when.`
    : '';
  return `${recorded} ${holds[receipts]}${list}`;
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
export const NOT_ANNOUNCED = 'Voting has closed. The result will be announced.';

/**
 * When the result of an election is shown, in a sentence, for pages without it.
 * @param why why its figures are hidden now @param closes when voting closes, already formatted
 */
export function resultsWhen(
  why: HiddenBecause | undefined,
  { announce }: Pick<ElectionSettings, 'announce'>,
  closes: string,
): string {
  if (why === 'results_not_announced') return NOT_ANNOUNCED;
  if (why === 'results_withheld' || why === 'papers_awaited') return `${sentence(why)}.`;
  return announce === 'by_officer'
    ? `The result is announced after voting closes: ${closes}.`
    : `The result appears here when voting closes: ${closes}.`;
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
export const SETTINGS_LABELS: Readonly<Record<string, string>> = {
  'settings.hide_results_until_close': 'When the figures are shown',
  'settings.publish_results_to_home': 'Home page',
  'settings.poll_response_type': 'Answers in a poll',
  'settings.ranking': 'Rankings',
  'settings.seats': 'Seats',
  'settings.max_choices': 'Most choices',
  'settings.min_choices': 'Fewest choices',
  'settings.max_yes': 'Most Yes on a ballot',
  'settings.threshold': 'Votes needed for a seat',
  'settings.quorum': 'Quorum',
  'settings.quorum_share': 'Quorum',
  'settings.majority': 'Majority',
  'settings.allow_blank': 'Blank ballots',
  'settings.inclusion_codes': 'Codes to check the count',
  'settings.receipts': 'Codes to check the count',
  'settings.publish_ballots': 'List of ballots',
  'settings.randomize_order': 'Order on the ballot',
  'settings.announce': 'Announcing the result',
  'settings.lot': 'Lots',
};

/** `98 voted online, 12 on paper.`: numbers of people, never what is on the ballots. */
export const channelsSentence = ({ online, paper }: Channels): string =>
  `${count(online)} voted online, ${count(paper)} on paper.`;

export const invalidSentence = (invalid: number): string =>
  `${counted(invalid, 'paper was', 'papers were')} invalid.`;
