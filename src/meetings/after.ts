import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { flag } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { listInvited as listLinked } from '#voting/counting/results-mail.ts';
import { ensureMailConfigured } from '#voting/invitations/invite-mails.ts';
import { listInvited } from './invitations.ts';
import { listItems } from './items.ts';
import { invitedPath } from './keys.ts';
import { findMeeting, getMeeting, type Meeting } from './meetings.ts';
import { lastSigned } from './minutes/versions.ts';
import { meetingPath } from './program.ts';
import { type ItemWithResult, itemWithResult } from './room/results.ts';

/** What members are mailed after a meeting. */
export const AFTER = ['results', 'minutes'] as const;
export type After = (typeof AFTER)[number];

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `meetings`. */
    'meeting-after': { origin: string; what: After };
  }
}

/** `again`: also to those who have had it. */
export const AfterInput = z.object({ again: flag.default(false) });

/** What can be mailed after a meeting: to how many, when it was, and why not yet. */
export interface AfterMails {
  people: number;
  results: { mailed_at: number | null; waits: boolean };
  /** `version`: of the minutes that are signed; undefined before that. `mailed`: of those that were mailed. */
  minutes: { version: number | undefined; mailed: number | null };
}

/** For the pages of a closed meeting; undefined before its end and for one that is called off. */
export function afterMails(reader: Reader, meeting: Meeting): AfterMails | undefined {
  if (meeting.state !== 'closed' || meeting.called_off_at !== null) return undefined;
  return {
    people: listAddressed(reader, meeting).length,
    results: { mailed_at: meeting.results_mailed_at, waits: listUnannounced(reader, meeting.id).length > 0 },
    minutes: { version: lastSigned(reader, meeting.id), mailed: meeting.minutes_mailed },
  };
}

/**
 * Mails the results of a closed meeting, or its signed minutes, to everybody who was invited to it or had a link, whether
 * they came or not.
 * @returns how many mails
 * @throws 404; 409 before the end, with results that are not announced, without signatures, without anybody, and for what was
 * mailed before unless `again` says so
 */
export function mailAfter(
  ctx: Context,
  { id, what, origin }: { id: string; what: After; origin: string },
  { again }: z.output<typeof AfterInput>,
  actor: Actor,
): Promise<number> {
  ensureMailConfigured(ctx);
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    const found = afterMails(tx, meeting);
    if (!found) throw conflict('meeting_not_closed');
    const [open] = listUnannounced(tx, id);
    if (what === 'results' && open) throw conflict('result_not_announced', { title: open.title });
    const { version, mailed } = found.minutes;
    if (what === 'minutes' && version === undefined) throw conflict('minutes_not_signed');
    const isMailed = what === 'results' ? found.results.mailed_at !== null : mailed === version;
    if (isMailed && !again) throw conflict('mailed_before');
    const addresses = listAddressed(tx, meeting);
    if (addresses.length === 0) throw conflict('nobody_invited_to_meeting');
    for (const email of addresses)
      putMail(tx, { kind: 'meeting-after', ref: id, email, facts: { origin, what } }, ctx.now());
    const stored = what === 'results' ? { results_mailed_at: actor.at } : { minutes_mailed: version ?? null };
    tx.run(build.updateTable('meetings').set(stored).where('id', '=', id));
    const metadata = { meeting: id, what, mails: addresses.length };
    recordAudit(tx, actor, { action: 'meeting.mailed', metadata });
    return addresses.length;
  });
}

/** The items whose result is counted and not announced. */
const listUnannounced = (reader: Reader, meetingId: string) =>
  listItems(reader, meetingId).filter(({ state }) => state === 'closed');

function listAddressed(reader: Reader, { id, paper_id }: Meeting): string[] {
  const linked = paper_id === null ? [] : listLinked(reader, paper_id);
  return [...new Set([...listInvited(reader, id), ...linked])].toSorted();
}

/** What a mail after a meeting is composed from; undefined if the meeting is gone. */
export async function prepareAfter(ctx: Context, id: string, origin: string) {
  const meeting = findMeeting(ctx.db, id);
  if (!meeting) return undefined;
  const items: ItemWithResult[] = [];
  for (const item of listItems(ctx.db, id)) items.push(await itemWithResult(ctx, item, undefined));
  return {
    meeting,
    items,
    club: mailClub(ctx.config),
    when: formatWhen(meeting.held_at, ctx.config.TIME_ZONE),
    link: origin + invitedPath(ctx, meeting, meetingPath(meeting)),
  };
}
