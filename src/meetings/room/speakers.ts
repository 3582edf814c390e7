import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DAY, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { SpeakersTable } from '#kernel/db/schema.ts';
import { clientHash } from '#kernel/http/client.ts';
import { forbidden, notFound, tooManyRequests } from '#kernel/http/errors.ts';
import { requiredName, wholeNumber } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { ifAny } from './acts.ts';

/** Names that members put on the list: from one client, in all, and how long they stay. The chair may always add one. */
const OF_A_CLIENT = 40;
const ASKED_AT_MOST = 100;
const ASKED_KEPT = DAY;

/** The name stands on the wall. */
export const SpeakerInput = z.object({ name: requiredName(100) });

/** The id of who speaks, as the page shows it; empty: nobody yet. Of two chairs who press at once one is heard. */
export const NextInput = z.preprocess(
  (body) => body ?? {},
  z.object({
    from: z.string().max(64).optional(),
    /** How long they may speak; absent: as long as they like. */
    seconds: ifAny(wholeNumber(10, 3_600)).optional(),
  }),
);

/** Somebody on the list; the first has `began_at` while they speak. */
export interface Speaker {
  id: string;
  name: string;
  began_at: string | null;
  /** Until when they may speak; absent: as long as they like. */
  ends_at?: string;
}

const rowsOf = (reader: Reader, meetingId: string) =>
  reader.all(
    build.selectFrom('speakers').selectAll().where('meeting_id', '=', meetingId).orderBy('position'),
  );

/** Who speaks and who waits, in the order of asking. */
export const listSpeakers = (reader: Reader, meetingId: string): Speaker[] =>
  rowsOf(reader, meetingId).map(({ id, name, began_at, ends_at }) => ({
    id,
    name,
    began_at: began_at === null ? null : isoTime(began_at),
    ...(ends_at !== null && { ends_at: isoTime(ends_at) }),
  }));

/**
 * Puts somebody at the end of the list; a name that waits already waits once. Past the most names that members have asked
 * for, the oldest of the client with the most gives way.
 * @param client of a member who asked on their phone; undefined for the chair
 * @throws 403 where only the chair keeps the list; 404; 409; 429 for too many names from one client
 */
export function askToSpeak(
  ctx: Context,
  meetingId: string,
  { name }: z.output<typeof SpeakerInput>,
  client?: string,
): Promise<void> {
  return ctx.write((tx) => {
    const now = ctx.now();
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    if (client !== undefined && meeting.members_ask === 0) throw forbidden('speakers_by_chair');
    tx.run(
      build
        .deleteFrom('speakers')
        .where('began_at', 'is', null)
        .where('asked_at', '<=', now - ASKED_KEPT),
    );
    const all = rowsOf(tx, meetingId);
    const waiting = all.filter(({ began_at }) => began_at === null);
    if (waiting.some((one) => isSameName(one.name, name))) return;
    const of = client === undefined ? null : clientHash(ctx, client, 'speakers');
    if (of !== null) makeRoom(tx, waiting, of);
    const row = { id: newRandomId(), meeting_id: meetingId, position: (all.at(-1)?.position ?? 0) + 1, name };
    tx.run(
      build
        .insertInto('speakers')
        .values({ ...row, began_at: null, ends_at: null, asked_at: of === null ? null : now, client: of }),
    );
  });
}

/** @throws 429 */
function makeRoom(tx: Tx, waiting: readonly Selectable<SpeakersTable>[], client: string): void {
  const asked = waiting.filter((one) => one.client !== null);
  const byClient = Map.groupBy(asked, (one) => one.client);
  if ((byClient.get(client)?.length ?? 0) >= OF_A_CLIENT)
    throw tooManyRequests('speakers_of_client', MINUTE, { max: OF_A_CLIENT });
  if (asked.length < ASKED_AT_MOST) return;
  const [greediest] = [...byClient.values()].sort((a, b) => b.length - a.length);
  remove(tx, greediest![0]!.id);
}

/** Whoever spoke has finished, and the next one begins; nothing if somebody else speaks than in `from`. */
export function nextSpeaker(
  ctx: Context,
  meetingId: string,
  { from, seconds }: z.output<typeof NextInput> = {},
): Promise<void> {
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const [first, second] = listSpeakers(tx, meetingId);
    if (from !== undefined && from !== speakingNow(first)) return;
    const next = first?.began_at === null ? first : second;
    if (first && first !== next) remove(tx, first.id);
    if (!next) return;
    const began_at = ctx.now();
    const ends_at = seconds === undefined ? null : began_at + seconds * SECOND;
    tx.run(build.updateTable('speakers').set({ began_at, ends_at }).where('id', '=', next.id));
  });
}

/** Whose turn it is, as `from` says it. */
export const speakingNow = (first: Speaker | undefined): string => (first?.began_at != null ? first.id : '');

/** Takes somebody off the list. @throws 404 */
export function removeSpeaker(ctx: Context, meetingId: string, id: string): Promise<void> {
  return ctx.write((tx) => {
    if (!listSpeakers(tx, meetingId).some((one) => one.id === id)) throw notFound('speaker_not_found');
    remove(tx, id);
  });
}

const remove = (tx: Tx, id: string): number => tx.run(build.deleteFrom('speakers').where('id', '=', id));
