import { t } from '#kernel/language/message.ts';
import { allOf, commas, formatTime, formatWhen, semicolons, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import type { MinutesFacts, MinutesItem } from '#meetings/minutes/facts.ts';
import { withoutPersons } from '#meetings/minutes/public.ts';
import type { Block, Minutes } from '#meetings/minutes/versions.ts';
import { itemOutcome, lateCardsSentence, reasonBy } from '#views/meetings/outcome.ts';
import { votersSentence } from '#views/meetings/words.ts';
import { certifiedSentence } from '#views/voting/results/outcome.ts';
import { shareWords } from '#voting/share-words.ts';
import { agendaOf, annexBlocks } from './annexes.ts';
import { type Draft, writtenBlocks } from './draft.ts';
import { figureBlocks, lotSentences, ruleSentence, votesSentence } from './figures.ts';
import { framedBlocks } from './frame.ts';

/** Rows of facts; those without a value are left out. */
type Fact = readonly [term: Words, value: Words | string | null | undefined | false];

export function factsOf(rows: readonly Fact[]): Draft[] {
  const said = rows.flatMap(([term, value]): [Words, Words | string][] => (value ? [[term, value]] : []));
  return said.length > 0 ? [{ is: 'facts', rows: said }] : [];
}

const textOf = (text: Words | string = ''): Draft[] => (text === '' ? [] : [{ is: 'text', text }]);

/** Writes the minutes of what happened. @param zone the club's time zone */
function minutesDocument(facts: MinutesFacts, zone: string): Block[] {
  return writtenBlocks(minutesDraft(facts, zone));
}

function minutesDraft(facts: MinutesFacts, zone: string): Draft[] {
  const { meeting, texts, corrects } = facts;
  return [
    { is: 'title', text: t('meetings.minutes.page_title', { meeting: meeting.title }) },
    ...(corrects
      ? [
          {
            is: 'note' as const,
            text: t('meetings.minutes.corrected_version', {
              n: facts.version,
              when: formatWhen(Date.parse(corrects.signed_at), zone),
              reason: corrects.reason,
            }),
          },
        ]
      : []),
    ...opening(facts, zone),
    { is: 'heading', text: t('meetings.minutes.agenda') },
    agendaOf(facts.items, ({ title }) => title),
    ...textOf(sentences([addedSentence(facts), texts.agenda])),
    ...facts.items.flatMap((item) => itemBlocks(item, zone)),
    { is: 'heading', text: t('meetings.minutes.objections') },
    { is: 'text', text: texts.objections || t('meetings.minutes.no_objections') },
    ...(texts.further ? [{ is: 'heading' as const, text: t('meetings.minutes.further') }] : []),
    ...textOf(texts.further),
    ...factsOf([[t('meetings.minutes.approval'), texts.approval]]),
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
function opening(facts: MinutesFacts, zone: string): Draft[] {
  const { meeting, texts, figures, chair, secretary } = facts;
  const day = (at: string) => localDate(Date.parse(at), zone);
  // With the day where it is not that of the invitation.
  const clock = (at: string | null) => {
    if (at === null) return null;
    return (day(at) === day(meeting.held_at) ? formatTime : formatWhen)(Date.parse(at), zone);
  };
  return factsOf([
    [t('meetings.minutes.club'), commas([facts.club, texts.seat, texts.register])],
    [t('meetings.minutes.kind'), texts.kind || t('meetings.minutes.general_meeting')],
    [
      t('meetings.minutes.day_and_place'),
      commas([formatWhen(Date.parse(meeting.held_at), zone), meeting.place]),
    ],
    [t('meetings.minutes.how'), meeting.allows_remote && t('meetings.minutes.how_remote')],
    [t('meetings.minutes.begin'), texts.began || clock(meeting.began_at)],
    [t('meetings.minutes.end'), texts.ended || clock(meeting.ended_at)],
    [t('meetings.minutes.led_by'), texts.led || chair],
    [t('meetings.minutes.recorded_by'), texts.recorded || secretary],
    [t('meetings.minutes.tellers'), texts.tellers],
    [t('meetings.minutes.called'), sentences([calledSentence(facts, zone), texts.called])],
    [t('meetings.minutes.entitled'), t('meetings.minutes.entitled_members', { n: figures.entitled })],
    [t('meetings.minutes.present'), sentences([presentSentence(facts), texts.attendance])],
    [t('meetings.minutes.cards'), cardsSentence(facts)],
    [t('meetings.minutes.quorum'), sentences([quorumSentence(facts), texts.quorum])],
  ]);
}

function quorumSentence({ figures: { quorum }, items }: MinutesFacts): Words {
  if (quorum.needed === 0) return t('meetings.minutes.quorum_none');
  const votes = items.filter(({ quorate }) => quorate !== null);
  const lacking = votes.filter(({ quorate }) => quorate === false).map(({ number }) => String(number));
  const found =
    votes.length === 0
      ? quorum.met
        ? t('meetings.minutes.quorum_met')
        : t('meetings.minutes.quorum_not_met')
      : lacking.length === 0
        ? t('meetings.minutes.quorum_met_each')
        : t('meetings.minutes.quorum_lacking', { n: lacking.length, items: allOf(lacking) });
  return quorum.share
    ? t('meetings.minutes.quorum_needed_share', {
        n: quorum.needed,
        share: shareWords(quorum.share),
        found,
      })
    : t('meetings.minutes.quorum_needed', { n: quorum.needed, found });
}

function calledSentence({ invited, invited_at, invitations }: MinutesFacts, zone: string): Words | null {
  if (invited_at === null) return null;
  const when = formatWhen(Date.parse(invited_at), zone);
  return invitations.length > 1
    ? t('meetings.minutes.called_by_mail_versions', { n: invited, versions: invitations.length, when })
    : t('meetings.minutes.called_by_mail', { n: invited, when });
}

function presentSentence({ came, left, guests, figures, meeting }: MinutesFacts): Words {
  const { represented, remote_present } = figures;
  return inOneSentence([
    left > 0
      ? t('meetings.minutes.present_members_left', { n: came, left })
      : t('meetings.minutes.present_members', { n: came }),
    meeting.allows_remote && t('meetings.minutes.present_elsewhere', { n: remote_present }),
    represented > 0 && t('meetings.minutes.present_represented', { n: represented }),
    guests > 0 && t('meetings.minutes.present_guests', { n: guests }),
  ]);
}

const inOneSentence = (parts: readonly (Words | false)[]): Words =>
  t('meetings.minutes.parts', { parts: semicolons(parts) ?? '' });

function cardsSentence({ figures, meeting }: MinutesFacts): Words | null {
  const classes = Object.entries(figures.cards).filter(([, { printed }]) => printed > 0);
  if (classes.length === 0) return null;
  const said = classes.map(([name, { printed, handed_out, returned, void: dead }]) => {
    const own = { printed, out: handed_out, back: returned, void: dead };
    return classes.length > 1
      ? t('meetings.minutes.cards_of_class', { class: name, ...own })
      : t('meetings.minutes.cards_of', own);
  });
  const spare = figures.cards_too_many;
  const areLost = spare > 0 && meeting.ended_at !== null;
  return inOneSentence([...said, areLost && t('meetings.minutes.cards_lost', { n: spare })]);
}

/** What was put on the agenda after the invitation. Later ones say it too. */
function addedSentence({ items, invitations }: MinutesFacts): Words | null {
  const [first] = invitations;
  if (!first) return null;
  const sent = new Set(first.agenda.map(({ id }) => id));
  const added = items.filter(({ id, follows }) => !sent.has(id) && follows === null);
  if (added.length === 0) return null;
  return t('meetings.minutes.added', {
    items: allOf(added.map(({ number, title }) => `${number}. ${title}`)),
  });
}

function itemBlocks(item: MinutesItem, zone: string): Draft[] {
  const { kind, number, title, text, old_text, notes } = item;
  const wording = kind === 'text' ? null : text;
  return [
    { is: 'heading', text: `${number}. ${title}` },
    ...(old_text
      ? [
          { is: 'note' as const, text: t('meetings.minutes.wording_in_force') },
          { is: 'wording' as const, text: old_text },
        ]
      : []),
    ...(wording && old_text ? [{ is: 'note' as const, text: t('meetings.minutes.new_wording') }] : []),
    ...(wording ? [{ is: 'wording' as const, text: wording }] : []),
    ...textOf(notes),
    ...(kind === 'text' && item.election_id === null ? [] : voteBlocks(item, zone)),
  ];
}

const NOT_DECIDED: Partial<Record<MinutesItem['state'], Words>> = {
  prepared: t('meetings.minutes.not_voted'),
  open: t('meetings.minutes.voting_open'),
  closed: t('meetings.minutes.not_announced'),
};

function voteBlocks(item: MinutesItem, zone: string): Draft[] {
  const { state, mover, seconders = [], result, term, note, late_cards, corrections = [] } = item;
  const undecided = NOT_DECIDED[state];
  const figures = result ? figureBlocks(result) : [];
  const outcome =
    state === 'void'
      ? t('meetings.minutes.void', { reason: item.void ? reasonBy(item.void) : '' })
      : itemOutcome(item);
  const before: Fact[] = [
    [t('meetings.minutes.proposed_by'), mover],
    [t('meetings.minutes.seconded_by'), seconders.length > 0 && allOf(seconders)],
    [
      t('meetings.minutes.follows'),
      item.follows !== null && t('meetings.minutes.follows_item', { number: item.follows }),
    ],
    [t('meetings.minutes.term'), term],
    [t('meetings.minutes.way'), state !== 'prepared' && wayOf(item)],
    [t('meetings.minutes.voters'), state !== 'prepared' && votersOf(item)],
    [t('meetings.minutes.votes'), result && votesSentence(result)],
    [t('meetings.minutes.rule'), result && ruleSentence(result)],
  ];
  const after: Fact[] = [
    ...withdrawnOf(result).map(
      ({ name, note, by }): Fact => [
        t('meetings.minutes.withdrawn'),
        t('meetings.minutes.withdrawn_who', { name, reason: reasonBy({ reason: note, by }) }),
      ],
    ),
    [t('meetings.minutes.lot'), result && sentences(lotSentences(result, zone))],
    [t('meetings.minutes.late_cards'), late_cards ? lateCardsSentence(late_cards) : null],
    [t('meetings.minutes.noted'), sentences([alarmSentence(item), note])],
    [t('meetings.minutes.outcome'), undecided ?? sentences([outcome, declaredSentence(item, zone)])],
    ...electedRows(item),
    [
      t('meetings.minutes.certified'),
      result && 'certified' in result && result.certified ? certifiedSentence(result.certified) : null,
    ],
    ...corrections.map(
      ({ ballots, reason, note, by }): Fact => [
        t('meetings.minutes.corrected_result'),
        t('meetings.minutes.papers_joined', {
          n: ballots,
          reason: reasonBy({ reason: note === undefined ? reason : `${reason} (${note})`, by }),
        }),
      ],
    ),
  ];
  return figures.length === 0
    ? factsOf([...before, ...after])
    : [...factsOf(before), ...figures, ...factsOf(after)];
}

/** When the chair announced the result, and anew after lots. */
function declaredSentence(item: MinutesItem, zone: string): Words | null {
  if (item.declared_at === null) return null;
  const time = formatTime(Date.parse(item.declared_at), zone);
  const later = lotsAfter(item).map((lot) => formatTime(Date.parse(lot), zone));
  return later.length > 0
    ? t('meetings.minutes.declared_at_lots', { time, times: allOf(later) })
    : t('meetings.minutes.declared_at', { time });
}

/** When lots were entered after the announcement: each announced the result anew. */
const lotsAfter = ({ result, declared_at }: MinutesItem): string[] =>
  result && 'lots' in result && declared_at !== null
    ? (result.lots ?? []).map(({ at }) => at).filter((at) => at > declared_at)
    : [];

const withdrawnOf = (result: MinutesItem['result']) =>
  result && 'withdrawn' in result ? (result.withdrawn ?? []) : [];

const alarmSentence = ({ alarm, paper_alarm }: MinutesItem): Words | undefined =>
  sentences([
    alarm && t('meetings.minutes.alarm', { votes: alarm.votes, voters: alarm.voters }),
    paper_alarm && t('meetings.minutes.paper_alarm', { n: paper_alarm.papers, out: paper_alarm.handed_out }),
  ]);

function wayOf({ way, result }: MinutesItem): Words | null {
  const channels = result && 'channels' in result ? result.channels : undefined;
  if (way === 'hands') return t('meetings.outcome.by_hands');
  if (way === 'unopposed') return t('meetings.minutes.way_unopposed');
  if (way === 'ballots' && channels)
    return t('meetings.minutes.way_channels', { online: channels.online, paper: channels.paper });
  if (way === 'ballots') return t('meetings.minutes.way_ballots');
  return null;
}

function votersOf({ voters, classes, excluded, quorate, quorum_needed }: MinutesItem) {
  const votes = voters && votersSentence(voters);
  return sentences([
    votes &&
      (classes === null
        ? t('meetings.minutes.votes_there', { votes })
        : t('meetings.minutes.votes_there_classes', { votes, classes: allOf(classes) })),
    !!quorum_needed && t('meetings.minutes.quorum_was', { n: quorum_needed }),
    excluded.length > 0 && t('meetings.minutes.excluded', { classes: allOf(excluded) }),
    quorate === false && t('meetings.minutes.quorum_was_lacking'),
  ]);
}

/** The elected with their full names, what a register wants of them, and whether they accept. */
function electedRows({ elected = [], details, state }: MinutesItem): Fact[] {
  if (state !== 'declared' || elected.length === 0) return [];
  const said = elected.map(({ id, name, accepts }) => {
    const { born = '', place = '' } = details.find((one) => one.id === id) ?? {};
    const person = personWords(name, born, place);
    if (accepts === null) return t('meetings.minutes.elected_unanswered', { person });
    return accepts
      ? t('meetings.minutes.elected_accepts', { person })
      : t('meetings.minutes.elected_refuses', { person });
  });
  return [[t('meetings.minutes.elected'), sentences(said)]];
}

function personWords(name: string, born: string, place: string): Words | string {
  if (born === '') return place === '' ? name : t('meetings.minutes.person_place', { name, place });
  return place === ''
    ? t('meetings.minutes.person_born', { name, born })
    : t('meetings.minutes.person_born_place', { name, born, place });
}
