import { formatTime, formatWhen, localDate } from '#kernel/local-time.ts';
import type { MinutesFacts, MinutesItem } from '#meetings/minutes/facts.ts';
import { withoutPersons } from '#meetings/minutes/public.ts';
import type { Block, Minutes } from '#meetings/minutes/versions.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { itemOutcome, lateCardsSentence } from '#views/meetings/outcome.ts';
import { votersSentence } from '#views/meetings/words.ts';
import { byWhom, certifiedSentence } from '#views/voting/results/outcome.ts';
import { shareWords } from '#voting/shared/share.ts';
import { agendaOf, annexBlocks } from './annexes.ts';
import { figureBlocks, lotSentences, ruleSentence, votesSentence } from './figures.ts';
import { framedBlocks } from './frame.ts';

/** Rows of facts; those without a value are left out. */
type Fact = readonly [term: string, value: string | null | undefined | false];

export function factsOf(rows: readonly Fact[]): Block[] {
  const said = rows.flatMap(([term, value]): [string, string][] => (value ? [[term, value]] : []));
  return said.length > 0 ? [{ is: 'facts', rows: said }] : [];
}

const textOf = (text: string): Block[] => (text === '' ? [] : [{ is: 'text', text }]);

/** Several sentences in a row; null without any. */
const sentences = (...all: (string | null | undefined | false)[]): string | null =>
  all.filter(Boolean).join(' ') || null;

/** Writes the minutes of what happened. @param zone the club's time zone */
function minutesDocument(facts: MinutesFacts, zone: string): Block[] {
  const { meeting, texts, corrects } = facts;
  return [
    { is: 'title', text: `Minutes: ${meeting.title}` },
    ...(corrects
      ? [
          {
            is: 'note' as const,
            text: `Corrected version ${facts.version}. It corrects the one signed on ${formatWhen(
              Date.parse(corrects.signed_at),
              zone,
            )}, which stays as it is: ${corrects.reason}`,
          },
        ]
      : []),
    ...opening(facts, zone),
    { is: 'heading', text: 'Agenda' },
    agendaOf(facts.items, ({ title }) => title),
    ...textOf(sentences(addedSentence(facts), texts.agenda) ?? ''),
    ...facts.items.flatMap((item) => itemBlocks(item, zone)),
    { is: 'heading', text: 'Objections' },
    { is: 'text', text: texts.objections || 'None are recorded.' },
    ...(texts.further ? [{ is: 'heading' as const, text: 'Points of order and notices' }] : []),
    ...textOf(texts.further),
    ...factsOf([['Approval', texts.approval]]),
    ...annexBlocks(facts, zone),
  ];
}

/**
 * Signed minutes for everybody, on a page and in a mail: without annexes, the list of the present, and what a register
 * wants of the elected.
 */
export function publicBlocks({ config }: { config: { TIME_ZONE: string } }, found: Minutes): Block[] {
  const blocks = minutesDocument(withoutPersons(found.content.facts), config.TIME_ZONE);
  const annex = blocks.findIndex(({ is }) => is === 'annex');
  return framedBlocks(annex < 0 ? blocks : blocks.slice(0, annex), found, config.TIME_ZONE);
}

/** Writes minutes in the club's time zone. */
export const minutesInWords =
  ({ config }: { config: { TIME_ZONE: string } }) =>
  (facts: MinutesFacts): Block[] =>
    minutesDocument(facts, config.TIME_ZONE);

/** Who met, when and where, how it was called, who was there. */
function opening(facts: MinutesFacts, zone: string): Block[] {
  const { meeting, texts, figures, chair, secretary } = facts;
  const day = (at: string) => localDate(Date.parse(at), zone);
  // With the day where it is not that of the invitation.
  const clock = (at: string | null) => {
    if (at === null) return null;
    return (day(at) === day(meeting.held_at) ? formatTime : formatWhen)(Date.parse(at), zone);
  };
  return factsOf([
    ['Club', [facts.club, texts.seat, texts.register].filter(Boolean).join(', ')],
    ['Kind of meeting', texts.kind || 'General meeting'],
    [
      'Day and place',
      [formatWhen(Date.parse(meeting.held_at), zone), meeting.place].filter(Boolean).join(', '),
    ],
    ['How', meeting.allows_remote && 'In the room; members elsewhere took part with links of their own.'],
    ['Begin', sentences(texts.began || clock(meeting.began_at))],
    ['End', sentences(texts.ended || clock(meeting.ended_at))],
    ['Led by', texts.led || chair],
    ['Recorded by', texts.recorded || secretary],
    ['Tellers', texts.tellers],
    ['Called', sentences(calledSentence(facts, zone), texts.called)],
    ['Entitled to vote', `${counted(figures.entitled, 'member')} on the day of the meeting`],
    ['Present', sentences(presentSentence(facts), texts.attendance)],
    ['Voting cards', cardsSentence(facts)],
    ['Quorum', sentences(quorumSentence(facts), texts.quorum)],
  ]);
}

function quorumSentence({ figures: { quorum }, items }: MinutesFacts): string {
  if (quorum.needed === 0) return 'The rules of this meeting want none.';
  const share = quorum.share ? ` (${shareWords(quorum.share)} of those entitled)` : '';
  const votes = items.filter(({ quorate }) => quorate !== null);
  const lacking = votes.filter(({ quorate }) => quorate === false).map(({ number }) => String(number));
  const found =
    votes.length === 0
      ? quorum.met
        ? 'met'
        : 'not met'
      : lacking.length === 0
        ? 'met at each vote'
        : `lacking at the vote on ${lacking.length === 1 ? 'item' : 'items'} ${listed(lacking)}`;
  return `${counted(quorum.needed, 'person has', 'people have')} to be present${share}: ${found}.`;
}

function calledSentence({ invited, invited_at, invitations }: MinutesFacts, zone: string): string | null {
  if (invited_at === null) return null;
  const times = invitations.length > 1 ? `, in ${invitations.length} versions` : '';
  return `By ${counted(invited, 'mail')} with the agenda${times}, the first on ${formatWhen(Date.parse(invited_at), zone)}.`;
}

function presentSentence({ came, left, guests, figures, meeting }: MinutesFacts): string {
  const { represented, remote_present } = figures;
  return `${[
    `${counted(came, 'member')} with a vote${left > 0 ? `, of whom ${left} left before the end` : ''}`,
    ...(meeting.allows_remote ? [`${counted(remote_present, 'member')} elsewhere`] : []),
    ...(represented > 0 ? [`${counted(represented, 'absent member')} represented by proxy`] : []),
    ...(guests > 0 ? [`${counted(guests, 'guest')} without a vote`] : []),
  ].join('; ')}.`;
}

function cardsSentence({ figures, meeting }: MinutesFacts): string | null {
  const classes = Object.entries(figures.cards).filter(([, { printed }]) => printed > 0);
  if (classes.length === 0) return null;
  const said = classes.map(([name, { printed, handed_out, returned, void: dead }]) => {
    const own = `${printed} printed, ${handed_out} handed out, ${returned} returned, ${dead} void`;
    return classes.length > 1 ? `${name}: ${own}` : own;
  });
  const spare = figures.cards_too_many;
  const lost = `${counted(spare, 'valid card is', 'valid cards are')} not accounted for`;
  return `${[...said, ...(spare > 0 && meeting.ended_at !== null ? [lost] : [])].join('; ')}.`;
}

/** What was put on the agenda after the invitation. Later ones say it too. */
function addedSentence({ items, invitations }: MinutesFacts): string | null {
  const [first] = invitations;
  if (!first) return null;
  const sent = new Set(first.agenda.map(({ id }) => id));
  const added = items.filter(({ id, follows }) => !sent.has(id) && follows === null);
  if (added.length === 0) return null;
  return `Added after the invitation: ${listed(added.map(({ number, title }) => `${number}. ${title}`))}.`;
}

function itemBlocks(item: MinutesItem, zone: string): Block[] {
  const { kind, number, title, text, old_text, notes } = item;
  const wording = kind === 'text' ? null : text;
  return [
    { is: 'heading', text: `${number}. ${title}` },
    ...(old_text
      ? [
          { is: 'note' as const, text: 'Wording in force:' },
          { is: 'wording' as const, text: old_text },
        ]
      : []),
    ...(wording && old_text ? [{ is: 'note' as const, text: 'New wording:' }] : []),
    ...(wording ? [{ is: 'wording' as const, text: wording }] : []),
    ...textOf(notes),
    ...(kind === 'text' && item.election_id === null ? [] : voteBlocks(item, zone)),
  ];
}

const NOT_DECIDED: Partial<Record<MinutesItem['state'], string>> = {
  prepared: 'It was not voted on.',
  open: 'Voting is open.',
  closed: 'It was voted on; the result was not announced.',
};

function voteBlocks(item: MinutesItem, zone: string): Block[] {
  const { state, mover, seconders = [], result, term, note, late_cards, corrections = [] } = item;
  const undecided = NOT_DECIDED[state];
  const figures = result ? figureBlocks(result) : [];
  const outcome =
    state === 'void' ? `Void: ${item.void?.reason ?? ''}${byWhom(item.void?.by)}` : itemOutcome(item);
  const at = item.declared_at === null ? null : formatTime(Date.parse(item.declared_at), zone);
  const later = lotsAfter(item).map((lot) => formatTime(Date.parse(lot), zone));
  const anew = later.length > 0 ? ` as a tie, and after the lot at ${listed(later)}` : '';
  const before: Fact[] = [
    ['Proposed by', mover],
    ['Seconded by', seconders.length > 0 && listed(seconders)],
    ['Follows', item.follows !== null && `the vote on item ${item.follows}`],
    ['Term', term],
    ['Way of voting', state !== 'prepared' && wayOf(item)],
    ['Votes there were', state !== 'prepared' && votersOf(item)],
    ['Votes', result && votesSentence(result)],
    ['Rule', result && ruleSentence(result)],
  ];
  const after: Fact[] = [
    ...withdrawnOf(result).map(
      ({ name, note, by }): Fact => ['Withdrawn', `${name}, before the count: ${note}${byWhom(by)}`],
    ),
    ['Lot', result && sentences(...lotSentences(result, zone))],
    ['Cards', late_cards ? lateCardsSentence(late_cards) : null],
    ['Noted', sentences(alarmSentence(item), note)],
    ['Outcome', undecided ?? sentences(outcome, at !== null && `Declared by the chair at ${at}${anew}.`)],
    ...electedRows(item),
    [
      'Certified',
      result && 'certified' in result && result.certified ? certifiedSentence(result.certified) : null,
    ],
    ...corrections.map(
      ({ ballots, reason, note, by }): Fact => [
        'Corrected',
        `${counted(ballots, 'ballot')} on paper joined after the announcement: ${reason}${note === undefined ? '' : ` (${note})`}${byWhom(by)}`,
      ],
    ),
  ];
  return figures.length === 0
    ? factsOf([...before, ...after])
    : [...factsOf(before), ...figures, ...factsOf(after)];
}

/** When lots were entered after the announcement: each announced the result anew. */
const lotsAfter = ({ result, declared_at }: MinutesItem): string[] =>
  result && 'lots' in result && declared_at !== null
    ? (result.lots ?? []).map(({ at }) => at).filter((at) => at > declared_at)
    : [];

const withdrawnOf = (result: MinutesItem['result']) =>
  result && 'withdrawn' in result ? (result.withdrawn ?? []) : [];

function alarmSentence({ alarm, paper_alarm }: MinutesItem): string | null {
  return sentences(
    alarm &&
      `${count(alarm.votes)} of ${counted(alarm.votes, 'vote')}; the door counted ${count(alarm.voters)}.`,
    paper_alarm &&
      `There were ${counted(paper_alarm.papers, 'paper')}, and ${counted(paper_alarm.handed_out, 'was', 'were')} handed out.`,
  );
}

function wayOf({ way, result }: MinutesItem): string | null {
  const channels = result && 'channels' in result ? result.channels : undefined;
  if (way === 'hands') return 'By show of hands.';
  if (way === 'unopposed') return 'Without opposition, so nothing was counted.';
  if (way === 'ballots' && channels)
    return `Secret, with voting cards that are tied to nobody: ${channels.online} online, ${channels.paper} on paper.`;
  if (way === 'ballots') return 'Secret and electronic, with voting cards that are tied to nobody.';
  return null;
}

function votersOf({ voters, classes, excluded, quorate, quorum_needed }: MinutesItem): string | null {
  return sentences(
    voters && `${votersSentence(voters)}${classes === null ? '' : ` of ${listed(classes)}`}.`,
    !!quorum_needed && `The quorum was ${counted(quorum_needed, 'person', 'people')}.`,
    excluded.length > 0 && `Without a vote on this item: ${listed(excluded)}.`,
    quorate === false && 'The quorum was lacking.',
  );
}

/** The elected with their full names, what a register wants of them, and whether they accept. */
function electedRows({ elected = [], details, state }: MinutesItem): Fact[] {
  if (state !== 'declared' || elected.length === 0) return [];
  const said = elected.map(({ id, name, accepts }) => {
    const { born = '', place = '' } = details.find((one) => one.id === id) ?? {};
    const person = [name, born && `born ${born}`, place].filter(Boolean).join(', ');
    const answer =
      accepts === null
        ? 'has not answered yet'
        : accepts
          ? 'accepts the election'
          : 'does not accept the election';
    return `${person}: ${answer}.`;
  });
  return [['Elected', said.join(' ')]];
}
