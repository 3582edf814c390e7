import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { differing } from '#kernel/http/record.ts';
import { endPage } from '#pub/display/takeovers.ts';
import { listOpen } from '#voting/elections/ways-to-vote.ts';
import { isClassUsed } from './agenda.ts';
import { endLinks } from './door/links.ts';
import { mixDoor } from './door/mix.ts';
import { endDoorNumbers } from './door/numbers.ts';
import { doorSums } from './door/sums.ts';
import {
  classesOf,
  ensureOneQuorum,
  getMeeting,
  MEETING,
  type Meeting,
  type MeetingPatch,
  quorumShareOf,
  reviseMeeting,
  type StoredSigners,
  wallPath,
} from './meetings.ts';
import { changeCodes } from './questions.ts';

/** A patch whose persons were looked up. */
type ReadPatch = Omit<z.output<typeof MeetingPatch>, 'chair' | 'secretary' | 'reason' | 'state'> &
  StoredSigners & { state?: 'closed' | undefined };

/** The keys that can be sent for a closed meeting. */
const AFTER_CLOSE: readonly string[] = [
  'public',
  'minutes_public',
  'elected_details',
  'chair_id',
  'secretary_id',
];

/** The rules of a vote: they cannot be changed while one is going on. */
const RULES = ['quorum', 'quorum_share', 'remote', 'proxies_per_person', 'proxies_count', 'classes'] as const;

/**
 * Changes a meeting, or ends it.
 * @throws 400, 404; 409 once it is closed, for a class that is in use, for rules of a vote while a question is open, and with
 * `needs: ['announce']` where its end leaves results unannounced
 */
export async function updateMeeting(
  ctx: Context,
  id: string,
  { state, confirm = [], ...patch }: ReadPatch,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const before = getMeeting(tx, id);
    const sent = Object.entries(patch).filter(([, value]) => value !== undefined);
    // The end, asked for again, has happened.
    if (before.state === 'closed' && sent.some(([name]) => !AFTER_CLOSE.includes(name)))
      throw conflict('meeting_closed');
    for (const name of patch.classes ? classesOf(before) : [])
      if (!patch.classes?.includes(name) && isClassUsed(tx, id, name)) throw conflict('class_used', { name });
    const { quorum = before.quorum, quorum_share = quorumShareOf(before) } = patch;
    ensureOneQuorum(quorum, quorum_share);
    const { chair_id, secretary_id } = patch;
    const fields = {
      ...MEETING.changes(before, patch, ctx),
      ...differing(before, { chair_id, secretary_id }),
    };
    const changed = Object.keys(fields);
    const [open] = listOpen(tx, id);
    if (open && RULES.some((name) => changed.includes(name)))
      throw conflict('rules_while_open', { title: open.title });
    if (changed.length > 0) {
      tx.run(build.updateTable('meetings').set(fields).where('id', '=', id));
      reviseMeeting(tx, id, actor.at);
      if (fields.inclusion_codes !== undefined) changeCodes(tx, getMeeting(tx, id), actor);
      // Members elsewhere cannot take part any more.
      if (fields.remote === 0) endLinks(tx, before);
      // Ballots and mails have the title of the paper.
      if (fields.title !== undefined && before.paper_id !== null)
        tx.run(build.updateTable('papers').set({ title: fields.title }).where('id', '=', before.paper_id));
      recordAudit(tx, actor, { action: 'meeting.changed', metadata: { meeting: id, fields: changed } });
    }
    if (state === 'closed' && before.state !== 'closed') {
      endMeeting(tx, before, { isConfirmed: confirm.includes('announce'), actor });
      mixDoor(tx, id);
      endPage(tx, wallPath(id), actor);
    }
  });
  if (state !== 'closed') return;
  ctx.hub.publish('takeovers');
  await ctx.eraseLog();
}

/** Ends a meeting on which nothing is open. @throws 409 */
function endMeeting(
  tx: Tx,
  { id }: Meeting,
  { isConfirmed, actor }: { isConfirmed: boolean; actor: Actor },
): void {
  const inState = (state: 'open' | 'closed') =>
    build
      .selectFrom('meeting_items')
      .select(['id', 'title'])
      .where('meeting_id', '=', id)
      .where('state', '=', state)
      .orderBy('position');
  const open = tx.first(inState('open'));
  if (open) throw conflict('question_open', { title: open.title });
  const waiting = tx.all(inState('closed'));
  if (waiting.length > 0 && !isConfirmed)
    throw conflict(
      'results_not_announced_yet',
      { titles: waiting.map(({ title }) => title) },
      { extra: { needs: ['announce'], items: waiting.map((item) => item.id) } },
    );
  tx.run(build.updateTable('meetings').set({ state: 'closed', ended_at: actor.at }).where('id', '=', id));
  endDoorNumbers(tx, id);
  // Minutes do not say who spoke.
  tx.run(build.deleteFrom('speakers').where('meeting_id', '=', id));
  recordAudit(tx, actor, { action: 'meeting.closed', metadata: { meeting: id, door: doorSums(tx, id) } });
}
