import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict, forbidden, notFound } from '#kernel/http/errors.ts';
import { requiredName } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { ensureNotClosed, getMeeting } from '../meetings.ts';

const WAITING_AT_MOST = 100;

export const SpeakerInput = z.object({ name: requiredName(200) });

/** The id of who speaks, as the page shows it; empty: nobody yet. Of two chairs who press at once one is heard. */
export const NextInput = z.preprocess(
  (body) => body ?? {},
  z.object({ from: z.string().max(64).optional() }),
);

/** Somebody on the list; the first has `began_at` while they speak. */
export interface Speaker {
  id: string;
  name: string;
  began_at: string | null;
}

/** Who speaks and who waits, in the order of asking. */
export const listSpeakers = (reader: Reader, meetingId: string): Speaker[] =>
  reader
    .all(
      build
        .selectFrom('speakers')
        .select(['id', 'name', 'began_at'])
        .where('meeting_id', '=', meetingId)
        .orderBy('position'),
    )
    .map((row) => ({ ...row, began_at: row.began_at === null ? null : isoTime(row.began_at) }));

/**
 * Puts somebody at the end of the list; a name that waits already waits once.
 * @param byMember whether a member asked on their phone @throws 403 where only the chair keeps the list; 404; 409
 */
export function askToSpeak(
  ctx: Context,
  meetingId: string,
  { name }: z.output<typeof SpeakerInput>,
  byMember = false,
): Promise<void> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    if (byMember && meeting.members_ask === 0) throw forbidden('speakers_by_chair');
    const all = listSpeakers(tx, meetingId);
    if (all.some((one) => one.began_at === null && isSameName(one.name, name))) return;
    if (all.length >= WAITING_AT_MOST) throw conflict('speakers_full', { max: WAITING_AT_MOST });
    const { last } = tx.first(
      build
        .selectFrom('speakers')
        .select((of) => of.fn.max('position').as('last'))
        .where('meeting_id', '=', meetingId),
    ) ?? { last: 0 };
    const row = { id: newRandomId(), meeting_id: meetingId, position: (last ?? 0) + 1, name };
    tx.run(build.insertInto('speakers').values({ ...row, began_at: null }));
  });
}

/** Whoever spoke has finished, and the next one begins; nothing if somebody else speaks than in `from`. */
export function nextSpeaker(
  ctx: Context,
  meetingId: string,
  { from }: z.output<typeof NextInput> = {},
): Promise<void> {
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const [first, second] = listSpeakers(tx, meetingId);
    if (from !== undefined && from !== speakingNow(first)) return;
    const next = first?.began_at === null ? first : second;
    if (first && first !== next) remove(tx, first.id);
    if (!next) return;
    tx.run(build.updateTable('speakers').set({ began_at: ctx.now() }).where('id', '=', next.id));
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
