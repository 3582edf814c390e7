import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { sequenceOf } from '#calendar/feed/sequence.ts';
import { untilStored } from '#kernel/cache.ts';
import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { MeetingsTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { findLost } from '#kernel/http/lost.ts';
import {
  linesField,
  momentField,
  nameField,
  numberField,
  optionalField,
  record,
  textField,
  tickField,
} from '#kernel/http/record.ts';
import { listOf, oneOf, optionalText, requiredName } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { clubReader } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import { QUORUM_AT_MOST, QuorumInput, ShareOrNone, shareField } from '#voting/share-input.ts';
import type { Share } from '#voting/shared/share.ts';

export type Meeting = Selectable<MeetingsTable>;
export type MeetingState = Meeting['state'];

/** A class of cards says on what its holders may vote. The usual one has its name in the language of the club. */
const usualClasses = (): string[] => [t('meetings.usual_class').for(clubReader())];
const CLASSES_AT_MOST = 10;
const DOCUMENTS_AT_MOST = 30;

/** Something to read before the meeting. */
export type MeetingDocument = z.output<typeof DocumentInput>;
const DocumentInput = z.object({
  title: requiredName(200),
  url: z
    .string(coded('not_https_address'))
    .trim()
    .max(2_000, coded('too_long', { max: 2_000 }))
    .refine((text) => URL.parse(text)?.protocol === 'https:', coded('not_https_address')),
});

/** `Accounts 2026 https://club.example/accounts.pdf`: the address is what comes last. */
function readDocument(line: string): { title: string; url: string } {
  const [, title = '', url = ''] = /^(.*?)\s*(\S+)$/.exec(line) ?? [];
  return { title: title.replace(/[:,;–-]$/, '').trim() || url, url };
}

const ClassesInput = listOf(requiredName(60), CLASSES_AT_MOST)
  .refine((names) => names.length > 0, coded('required'))
  .refine(
    (names) => names.every((name, at) => names.findIndex((other) => isSameName(name, other)) === at),
    coded('listed_twice'),
  );

/** What is decided about a meeting. The words of its form are `MEETING_WORDS`. */
export const MEETING = record({
  title: nameField(300),
  held_at: momentField(z.string(coded('not_timestamp')).trim().min(1, coded('required')).max(64)),
  place: textField(300),
  notes: textField(5_000, { rows: 4 }),
  documents: linesField(listOf(DocumentInput, DOCUMENTS_AT_MOST), {
    rows: 3,
    usual: [],
    written: ({ title, url }) => `${title} ${url}`,
    read: readDocument,
  }),
  quorum: optionalField(numberField(1, QUORUM_AT_MOST), QuorumInput),
  /** A share of the people who may vote. */
  quorum_share: optionalField(shareField, ShareOrNone),
  /** Whether members elsewhere can take part. */
  remote: tickField(),
  proxies_per_person: numberField(0, 100, 0),
  proxies_count: tickField(),
  /** Whether voters get inclusion codes; a question may differ. */
  inclusion_codes: tickField(true),
  classes: linesField(ClassesInput, { rows: 2, usual: usualClasses }),
  /** Whether members ask to speak on their phones. */
  members_ask: tickField(),
  /**
   * Whether everybody can read the meeting. A request that does not say so makes a public one, as before there was this
   * field; the form proposes the other, because an agenda and results name members (GDPR, article 25).
   */
  public: tickField(true),
  /** Whether everybody can read the signed minutes, and whether they say birthday and place of the elected. */
  minutes_public: tickField(),
  elected_details: tickField(),
});

/** An id, or the name or number of one person of the roll; null, or an empty text: nobody. */
const person = optionalText(300).optional();

/** The two persons who sign the minutes. */
export const SignersPatch = { chair: person, secretary: person };

/** The same by id; undefined keeps whoever is named. */
export type StoredSigners = Partial<Pick<Meeting, 'chair_id' | 'secretary_id'>>;

export const MeetingInput = MEETING.input.extend({
  ...SignersPatch,
  /** The meeting whose agenda it takes over, or `usual`. */
  agenda_of: optionalText(64),
});

/** `state: 'closed'` ends the meeting, `called_off` says that it is not held. */
export const MeetingPatch = MEETING.patch.extend({
  ...SignersPatch,
  state: oneOf(['closed', 'called_off']).optional(),
  /** Why it is called off. */
  reason: optionalText(300).optional(),
  /** `announce`: the meeting is ended although a counted result is not announced. */
  confirm: z.preprocess(
    (value) => (value === undefined ? undefined : [value].flat()),
    z.array(oneOf(['announce'])).optional(),
  ),
});

/** A meeting as the API returns it, without what is counted at the door. */
export type MeetingJson = ReturnType<typeof meetingJson>;

export function meetingJson(meeting: Meeting) {
  const { quorum, quorum_share, remote, ...fields } = MEETING.json(meeting);
  const { id, state, paper_id, event_id, invited } = meeting;
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    id,
    ...fields,
    state,
    paper_id,
    event_id,
    allows_remote: remote,
    began_at: time(meeting.began_at),
    ended_at: time(meeting.ended_at),
    /** When it was called, and by how many mails. */
    invited_at: time(meeting.invited_at),
    invited,
    /** Why and when it was called off: its state is closed then. */
    called_off:
      meeting.called_off_at === null
        ? null
        : { reason: meeting.called_off_reason ?? '', at: isoTime(meeting.called_off_at) },
  };
}

/** What the links between the officers' pages of a meeting depend on. */
export type MeetingPlace = ReturnType<typeof placeOf>;

export const placeOf = ({
  id,
  title,
  state,
  remote,
  paper_id,
}: Pick<Meeting, 'id' | 'title' | 'state' | 'remote' | 'paper_id'>) => ({
  id,
  title,
  state,
  allows_remote: remote === 1,
  paper_id,
});

export const classesOf = ({ classes }: Pick<Meeting, 'classes'>): string[] => JSON.parse(classes);

export const documentsOf = ({ documents }: Pick<Meeting, 'documents'>): MeetingDocument[] =>
  JSON.parse(documents);

const meetingById = prepare((p: { id: string }) =>
  build.selectFrom('meetings').selectAll().where('id', '=', p.id),
);

/** The page of a meeting for a projector and the TVs. */
export const wallPath = (meetingId: string): string => `/m/${meetingId}/wall`;

export const findMeeting = (reader: Reader, id: string): Meeting | undefined =>
  reader.first(meetingById({ id }));

/** The same for pages, see `untilStored`. */
export const meetingNow = untilStored(findMeeting);

/** @throws 404 */
export function getMeeting(reader: Reader, id: string): Meeting {
  const meeting = findMeeting(reader, id);
  if (!meeting) throw findLost(reader, id) ?? notFound('meeting_not_found');
  return meeting;
}

const notPublic = prepare((_: object) => build.selectFrom('meetings').selectAll().where('public', '=', 0));

/** The meetings that only their members read. */
export const listNotPublic = (reader: Reader): Meeting[] => reader.all(notPublic({}));

/** The latest first. */
export function listMeetings(reader: Reader): Meeting[] {
  return reader.all(
    build.selectFrom('meetings').selectAll().orderBy('held_at', 'desc').orderBy('id', 'desc'),
  );
}

/**
 * The meetings that everybody is told of: those that are going on or ahead, called off or not, the first first; then, for a
 * week, those that are over. One to which nobody was invited, and which is no event of the calendar, is still being prepared.
 */
export function listTold(reader: Reader, now: number): Meeting[] {
  const isTold = ({ state, held_at, ended_at, called_off_at, invited_at, event_id }: Meeting) => {
    if (state === 'running') return true;
    if (invited_at === null && event_id === null) return false;
    if (called_off_at !== null) return held_at > now;
    return state === 'closed' ? (ended_at ?? 0) > now - 7 * DAY : held_at > now - DAY;
  };
  const told = listMeetings(reader).filter(isTold);
  const isOver = ({ state, called_off_at }: Meeting) => state === 'closed' && called_off_at === null;
  return [...told.filter((one) => !isOver(one)).reverse(), ...told.filter(isOver)];
}

/** @throws 400 */
export function ensureOneQuorum(number: number | null | undefined, share: Share | null | undefined): void {
  if (number && share) throw badField('quorum_share', 'one_quorum');
}

export const quorumShareOf = ({ quorum_share }: Pick<Meeting, 'quorum_share'>): Share | null =>
  quorum_share === null ? null : JSON.parse(quorum_share);

/** Stores a new meeting. `fill` adds its agenda, in the same transaction. @returns its id */
export async function createMeeting(
  ctx: Context,
  input: Omit<z.output<typeof MeetingInput>, 'agenda_of' | 'chair' | 'secretary'> & StoredSigners,
  actor: Actor,
  fill: (tx: Tx, meeting: Meeting) => void = () => undefined,
): Promise<string> {
  const columns = MEETING.columns(input, ctx);
  ensureOneQuorum(input.quorum, input.quorum_share);
  const { chair_id = null, secretary_id = null } = input;
  return ctx.write((tx) => {
    const id = newId(actor.at);
    tx.run(
      build.insertInto('meetings').values({
        id,
        ...columns,
        chair_id,
        secretary_id,
        paper_id: null,
        event_id: null,
        created_at: actor.at,
        sequence: sequenceOf(actor.at),
        changed_at: actor.at,
        began_at: null,
        ended_at: null,
      }),
    );
    const metadata = { meeting: id, title: input.title, held_at: isoTime(columns.held_at) };
    recordAudit(tx, actor, { action: 'meeting.created', metadata });
    fill(tx, getMeeting(tx, id));
    return id;
  });
}

/** Counts a change for calendars: SEQUENCE grows with each, also with two in one second. */
export function reviseMeeting(tx: Tx, id: string, at: number): void {
  tx.run(
    build
      .updateTable('meetings')
      .set({ sequence: sql`max(sequence + 1, ${sequenceOf(at)})`, changed_at: at })
      .where('id', '=', id),
  );
}

/** Begins a meeting with its first opening; nothing changes if it has begun. @throws 409 once it is closed */
export function beginMeeting(tx: Tx, { id }: Pick<Meeting, 'id'>, actor: Actor): void {
  const begun = build
    .updateTable('meetings')
    .set({ state: 'running', began_at: actor.at })
    .where('id', '=', id)
    .where('state', '=', 'prepared');
  if (tx.run(begun) === 1) recordAudit(tx, actor, { action: 'meeting.began', metadata: { meeting: id } });
  else ensureNotClosed(getMeeting(tx, id));
}

/** @throws 409 once the meeting is closed: then only minutes and corrections change */
export function ensureNotClosed({ state }: Pick<Meeting, 'state'>): void {
  if (state === 'closed') throw conflict('meeting_closed');
}

/** Whether the newest version of its minutes is signed, so that nothing more can be added. */
export const areMinutesSigned = (reader: Reader, { id }: Pick<Meeting, 'id'>): boolean =>
  reader.first(
    build
      .selectFrom('meeting_minutes')
      .select('signed_at')
      .where('meeting_id', '=', id)
      .orderBy('version', 'desc')
      .limit(ONE),
  )?.signed_at != null;
