import { type SqlBool, sql } from 'kysely';
import type { Permission } from '#kernel/access/roles.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { forClub } from '#kernel/locale.ts';
import { clubName } from '#kernel/mail/message.ts';
import { listAttendance } from '#meetings/door/attendance-rows.ts';
import { listProxies } from '#meetings/door/proxies.ts';
import { type MeetingFigures, meetingFigures } from '#meetings/figures.ts';
import { invitationsOf, type SentInvitation } from '#meetings/invitations.ts';
import { type Item, listItems } from '#meetings/items.ts';
import { classesOf, type Meeting } from '#meetings/meetings.ts';
import { findPaperAlarm, findSheet, type PaperAlarm, type PaperSheet } from '#meetings/paper-count/sheet.ts';
import { type Alarm, findAlarm } from '#meetings/room/declaring.ts';
import { findResult, type ItemResult, type ItemWithResult, itemWithResult } from '#meetings/room/results.ts';
import { getElection } from '#voting/elections/elections.ts';
import type { MinutesTexts } from './texts.ts';

/** Somebody who signs: named beforehand. */
export interface Signer {
  id: string;
  name: string;
}

/** What is for the chair alone, or for the moment. */
const NOT_RECORDED = ['closes_at', 'alarm', 'paper_alarm', 'paper', 'batches_open', 'void_asked'] as const;

/** An item as the minutes record it. */
export interface MinutesItem extends Omit<ItemWithResult, (typeof NOT_RECORDED)[number]> {
  /** On the agenda; a whole number in minutes of earlier versions. */
  number: string;
  old_text: string | null;
  /** The classes of cards that could not vote on it. */
  excluded: string[];
  /** The number of the item whose vote it repeats or goes on with. */
  follows: string | null;
  notes: string;
  term: string;
  /** The reconciliation sheet of ballots on paper. */
  sheet?: PaperSheet;
  /** More votes than cards, or more papers than were handed out; `note` says why that changed nothing. */
  alarm?: Alarm;
  paper_alarm?: PaperAlarm;
  /** Of the elected, where a register wants it. */
  details: { id: string; born: string; place: string }[];
}

/** What happened at a meeting, and what people wrote about it: the minutes without their words. */
export interface MinutesFacts {
  version: number;
  /** Why the version before it was corrected, and when that was signed. */
  corrects: { reason: string; signed_at: string } | null;
  club: string;
  meeting: {
    id: string;
    title: string;
    held_at: string;
    place: string | null;
    allows_remote: boolean;
    began_at: string | null;
    ended_at: string | null;
  };
  chair: string | null;
  secretary: string | null;
  texts: MinutesTexts;
  invited_at: string | null;
  invited: number;
  figures: MeetingFigures;
  /** People with a vote who came, and those of them who left before the end; guests, also without a vote. */
  came: number;
  left: number;
  guests: number;
  items: MinutesItem[];
  present: { name: string; class: string | null; left: boolean }[];
  proxies: { giver: string; holder: string }[];
  invitations: SentInvitation[];
  /** The head of the audit log when the meeting was closed, and its number; null before. Absent in earlier versions. */
  log?: { head: string; entry: number } | null;
  /** The address of the service, for whoever reads the minutes on paper. */
  origin?: string | null;
}

/** Whoever writes the minutes of announced results may read what everybody has heard. */
const CERTIFIES: ReadonlySet<Permission> = new Set(['elections:read', 'elections:certify']);

/** Collects what the minutes of a meeting say. Results that were not announced are not in them. */
export async function minutesFacts(
  ctx: Context,
  meeting: Meeting,
  version: { number: number; texts: MinutesTexts; corrects: MinutesFacts['corrects'] },
): Promise<MinutesFacts> {
  const { db } = ctx;
  const { id, title, place, invited } = meeting;
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  const people = listAttendance(db, id);
  const voting = people.filter((one) => one.class !== null);
  const items = listItems(db, id);
  return {
    version: version.number,
    corrects: version.corrects,
    club: clubName(ctx.config),
    meeting: {
      id,
      title,
      held_at: isoTime(meeting.held_at),
      place,
      allows_remote: meeting.remote === 1,
      began_at: time(meeting.began_at),
      ended_at: time(meeting.ended_at),
    },
    chair: shownName(findSigner(db, meeting.chair_id)?.name ?? null),
    secretary: shownName(findSigner(db, meeting.secretary_id)?.name ?? null),
    texts: version.texts,
    invited_at: time(meeting.invited_at),
    invited,
    figures: meetingFigures(db, meeting, ctx.config.TIME_ZONE),
    came: voting.length,
    left: voting.filter(({ state }) => state === 'out').length,
    guests: people.length - voting.length,
    items: await Promise.all(
      items.map((item) => minutesItem(ctx, meeting, item, { items, texts: version.texts })),
    ),
    present: people.map((one) => ({
      name: shownName(one.name),
      class: one.class,
      left: one.state === 'out',
    })),
    proxies: representedPeople(db, id),
    invitations: invitationsOf(meeting),
    log: closingEntry(db, id),
    origin: ctx.config.BASE_URL ?? null,
  };
}

/** The entry of the log that closed the meeting: its hash covers everything before it. */
function closingEntry(reader: Reader, id: string): { head: string; entry: number } | null {
  const closed = reader.first(
    build
      .selectFrom('audit_log')
      .select(['hash as head', 'seq as entry'])
      .where('action', '=', 'meeting.closed')
      .where(sql<SqlBool>`metadata ->> 'meeting' = ${id}`)
      .orderBy('seq', 'desc')
      .limit(ONE),
  );
  return closed ?? null;
}

async function minutesItem(
  ctx: Context,
  meeting: Meeting,
  item: Item,
  { items, texts }: { items: readonly Item[]; texts: MinutesTexts },
): Promise<MinutesItem> {
  const shown = Object.entries(await itemWithResult(ctx, item)).filter(
    ([name]) => ![...NOT_RECORDED, 'result'].includes(name),
  );
  const json = Object.fromEntries(shown) as Omit<ItemWithResult, (typeof NOT_RECORDED)[number] | 'result'>;
  // Of a vote that was made void after its close, the figures were published with the reason.
  const isTold = item.state === 'declared' || (item.state === 'void' && item.closed_at !== null);
  const result = isTold ? await findResult(ctx, item, CERTIFIES) : undefined;
  const { classes, elected = [] } = json;
  const sheet = isTold ? findSheet(ctx.db, item) : undefined;
  const alarm = isTold ? findAlarm(ctx.db, item) : undefined;
  const paper_alarm = isTold ? findPaperAlarm(ctx.db, item) : undefined;
  return {
    ...json,
    ...(result && { result: withoutLists(result) }),
    ...(sheet && { sheet }),
    ...(alarm && { alarm }),
    ...(paper_alarm && { paper_alarm }),
    number: item.number,
    old_text: item.old_text,
    excluded: classes === null ? [] : classesOf(meeting).filter((name) => !classes.includes(name)),
    follows: numberBefore(ctx.db, item, items),
    notes: texts.items[item.id] ?? '',
    term: texts.terms[item.id] ?? '',
    details:
      meeting.elected_details === 1
        ? elected.flatMap(({ id }) => (texts.elected[id] ? [{ id, ...texts.elected[id] }] : []))
        : [],
  };
}

/** Leaves out the list of hashes, which the page of the result has, and what is compared anew at each look. */
function withoutLists(result: ItemResult): ItemResult {
  const {
    inclusion_hashes: _,
    result_matches: _matches,
    differences: _differences,
    ...rest
  } = result as ItemResult & Record<string, unknown>;
  return rest as ItemResult;
}

function numberBefore(reader: Reader, { election_id }: Item, items: readonly Item[]): string | null {
  if (election_id === null) return null;
  const { follow_up_of } = getElection(reader, election_id);
  const before = follow_up_of === null ? undefined : items.find((one) => one.election_id === follow_up_of);
  return before?.number ?? null;
}

/** Absent members whose card somebody else was handed. */
function representedPeople(reader: Reader, meetingId: string): MinutesFacts['proxies'] {
  const used = listProxies(reader, meetingId).filter(({ state }) => state === 'used');
  const name = (id: string | null) => nameOnRecord(reader, id);
  return used
    .map(({ giver_id, holder_id }) => ({ giver: name(giver_id), holder: name(holder_id) }))
    .sort((one, other) => (one.giver < other.giver ? -1 : 1));
}

/** Whether a person has no name but the address that they were entered with. */
export const isAddress = (name: string): boolean => name.includes('@');

/** A name as minutes have it: an address is never shown in public. */
const shownName = <Name extends string | null>(name: Name): Name | string =>
  name !== null && isAddress(name) ? forClub(t('meetings.minutes.nameless')) : name;

/** The name of a person of the roll as minutes have it. */
export const nameOnRecord = (reader: Reader, id: string | null): string =>
  shownName(findSigner(reader, id)?.name ?? forClub(t('meetings.minutes.erased')));

/** A person by id; undefined where nobody is named, or the person was erased. */
export function findSigner(reader: Reader, id: string | null): Signer | undefined {
  if (id === null) return undefined;
  return reader.first(
    build.selectFrom('persons').select(['id', 'name']).where('id', '=', id).where('erased_at', 'is', null),
  );
}
