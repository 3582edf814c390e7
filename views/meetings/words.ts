import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { MeetingState } from '#meetings/meetings.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { badge } from '#views/components/status.ts';
import { plainText } from '#views/components/structure.ts';
import type { Voters } from '#voting/elections/ways-to-vote.ts';

export type { MeetingState } from '#meetings/meetings.ts';

/** The sub-pages of the officers' page of a meeting; all but the first end its address. */
export const MEETING_PAGES = ['agenda', 'mails', 'documents', 'details', 'end'] as const;
export type MeetingPage = (typeof MEETING_PAGES)[number];

/** A section of these pages, as the address names it after `#`. */
export type MeetingSection = 'agenda' | 'after' | 'invite' | 'details' | 'uploads' | 'end';

/** The sub-page that each section is on. */
export const MEETING_PAGE_OF: Readonly<Record<MeetingSection, MeetingPage>> = {
  agenda: 'agenda',
  after: 'agenda',
  invite: 'mails',
  details: 'details',
  uploads: 'documents',
  end: 'end',
};

/** The address of a sub-page of a meeting. */
export const meetingPath = (id: string, page: MeetingPage = 'agenda', query = ''): string =>
  `/admin/meetings/${id}${page === 'agenda' ? '' : `/${page}`}${query}`;

/** The address of a section, on its sub-page. */
export const meetingSectionPath = (id: string, section: MeetingSection, query = ''): string =>
  `${meetingPath(id, MEETING_PAGE_OF[section], query)}#${section}`;

/** Items of an agenda on one page. */
export const ITEMS_A_PAGE = 10;

/** The address of an item on the agenda. @param place of the item, from 0 @param done the key of a notice */
export function itemPath(id: string, item: string, place: number, done: string): string {
  const page = Math.floor(place / ITEMS_A_PAGE) + 1;
  return `${meetingPath(id, 'agenda', `?done=${done}${page > 1 ? `&page=${page}` : ''}`)}#item-${item}`;
}

/** The text of an item; of a motion that changes the rules, the wording in force too. */
export function wording({ text, old_text }: Pick<ItemJson, 'text' | 'old_text'>): Html | null {
  if (old_text === null) return text === null ? null : plainText(text);
  return html`<p class="small soft">${t('meetings.item.in_force')}</p><blockquote class="wording">${plainText(old_text)}</blockquote>${
    text !== null &&
    html`<p class="small soft">${t('meetings.item.new')}</p><blockquote class="wording">${plainText(text)}</blockquote>`
  }`;
}

/** That an item was put on the agenda after the invitation. */
export const additionNote = ({ added }: { added?: true }): Html | null =>
  added ? html`<p class="small soft">${t('meetings.item.added')}</p>` : null;

/** Why a motion is proposed. */
export const reasons = ({ reason }: Pick<ItemJson, 'reason'>): Html | null =>
  reason === null ? null : html`<p class="small soft">${t('meetings.item.reasons')}</p>${plainText(reason)}`;

/** Who proposes a motion, and who seconds it: `Proposed by Ann; seconded by Bob and Cid`. */
export function proposersWords({
  mover,
  seconders,
}: Pick<ItemJson, 'mover' | 'seconders'>): Words | undefined {
  const names = allOf(seconders);
  if (!mover) return seconders.length === 0 ? undefined : t('meetings.item.seconded', { names });
  return seconders.length === 0
    ? t('meetings.item.proposed', { mover })
    : t('meetings.item.proposed_and_seconded', { mover, names });
}

/** The same as a line of a page. */
export function proposers(item: Pick<ItemJson, 'mover' | 'seconders'>): Html | null {
  const words = proposersWords(item);
  return words === undefined ? null : html`<p class="small soft">${words}</p>`;
}

export const KIND_WORDS = {
  text: t('meetings.item.kind_text'),
  motion: t('meetings.item.kind_motion'),
  election: t('meetings.item.kind_election'),
} as const;

const ITEM_STATES: Record<ItemJson['state'], Words> = {
  prepared: t('meetings.item.state_prepared'),
  open: t('meetings.item.state_open'),
  closed: t('meetings.item.state_closed'),
  declared: t('meetings.item.state_declared'),
  void: t('meetings.item.state_void'),
};

const MEETING_STATES: Record<MeetingState, Words> = {
  prepared: t('meetings.state.prepared'),
  running: t('meetings.state.running'),
  closed: t('meetings.state.closed'),
};

type Decided = Pick<ItemJson, 'kind' | 'state'> &
  Pick<Partial<ItemWithResult>, 'result' | 'elected' | 'quorate'>;

/** What was decided about an item, in a word or two; undefined before its announcement. */
export const decisionWords = (item: Decided): Words | undefined =>
  item.state === 'declared' ? outcomeWords(item)[0] : item.state === 'void' ? ITEM_STATES.void : undefined;

/** The state of an item; none for one that nobody votes on. An announced one says its outcome. */
export function itemBadge(item: Decided): Html | null {
  const { kind, state } = item;
  if (kind === 'text' || state === 'prepared') return null;
  if (state !== 'declared') return badge(ITEM_STATES[state], state === 'open' ? 'open' : 'scheduled');
  const [words, isWon] = outcomeWords(item);
  return badge(words, isWon ? 'open' : undefined);
}

/** What an announced result has decided, and whether somebody or something has won. */
function outcomeWords(item: Decided): [words: Words, isWon: boolean] {
  const { kind, result, elected = [] } = item;
  if (!result || result.results_mode === 'manual' || result.results_mode === 'void')
    return [ITEM_STATES.declared, true];
  if (!hasValidResult(item)) return [t('meetings.item.no_valid_result'), false];
  if (kind === 'election')
    return elected.length > 0
      ? [t('meetings.item.elected'), true]
      : [t('meetings.item.nobody_elected'), false];
  const isCarried =
    result.results_mode === 'unopposed' || ('carried' in result.results && result.results.carried);
  return isCarried ? [t('meetings.item.carried'), true] : [t('meetings.item.not_carried'), false];
}

/** Whether a count decides: the meeting had its quorum, and the vote what it needs. */
export function hasValidResult({ result, quorate }: Decided): boolean {
  if (!result || result.results_mode === 'manual' || result.results_mode === 'void') return true;
  return (result.results_mode === 'unopposed' ? result.valid : result.results.valid) && quorate !== false;
}

export const meetingBadge = (state: MeetingState): Html =>
  badge(MEETING_STATES[state], state === 'running' ? 'open' : state === 'prepared' ? 'scheduled' : undefined);

/** The parts of the votes of a question, in words; those that are 0 are left out. */
const PARTS: readonly [keyof Voters, (n: number) => Words][] = [
  ['here', (n) => t('meetings.votes.here', { n })],
  ['represented', (n) => t('meetings.votes.represented', { n })],
  ['elsewhere', (n) => t('meetings.votes.elsewhere', { n })],
  ['left_with_card', (n) => t('meetings.votes.left_with_card', { n })],
  ['voted_and_gone', (n) => t('meetings.votes.voted_and_gone', { n })],
];

/** `12 votes: 9 here, 2 represented, 1 elsewhere`; the total alone where it has one part, or is all that is known. */
export function votersSentence(voters: Partial<Voters> & Pick<Voters, 'total'>): Words {
  const parts = PARTS.flatMap(([name, word]) => (voters[name] ? word(voters[name]) : []));
  const n = voters.total;
  return parts.length > 1
    ? t('meetings.votes.total_with_parts', { n, parts: commas(parts) ?? '' })
    : t('meetings.votes.total', { n });
}
