import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { ProxiesTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { optionalText, requiredText } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { ensureNotClosed, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { isDoubtful } from '#voting/elections/doubtful-cards.ts';
import { findWait, noteHolder, type Wait } from '#voting/elections/ways-to-vote.ts';
import { findAttendance } from './attendance-rows.ts';
import { endLinkOf } from './links.ts';
import { classOf, type DoorPerson, getPerson, listVoters } from './people.ts';

export type Proxy = Selectable<ProxiesTable>;

export const ProxyInput = z.object({
  giver: requiredText(64),
  holder: requiredText(64),
  document: optionalText(500),
});

export const listProxies = (reader: Reader, meetingId: string): Proxy[] =>
  reader.all(build.selectFrom('proxies').selectAll().where('meeting_id', '=', meetingId).orderBy('id'));

/** Enters who represents an absent member. @throws 400; 404; 409 over the limit, or for somebody who is represented */
export function enterProxy(
  ctx: Context,
  meetingId: string,
  { giver, holder, document }: z.output<typeof ProxyInput>,
  actor: Actor,
): Promise<string> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const voters = listVoters(tx, meeting, ctx.config.TIME_ZONE);
    const holds = { meeting, holder: getPerson(tx, holder, voters), voters };
    const id = insertProxy(tx, holds, giver, { field: 'giver', document });
    recordAudit(tx, actor, {
      action: 'meeting.proxy_entered',
      metadata: { meeting: meetingId, giver, holder },
    });
    return id;
  });
}

/**
 * @throws 404; 409 once its card was handed out: the holder returns it, and the giver is checked in; and until a card that
 * was given back is scanned
 */
export function removeProxy(ctx: Context, meetingId: string, id: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const proxy = listProxies(tx, meetingId).find((one) => one.id === id);
    if (!proxy) throw notFound('not_found');
    if (proxy.state !== 'given') throw conflict('proxy_used');
    const { giver_id: giver, holder_id: holder } = proxy;
    // Without its row nothing would say that the holder may have its card still.
    if (isDoubtful(tx, meetingId, giver ?? '')) throw conflict('proxy_unscanned');
    tx.run(build.deleteFrom('proxies').where('id', '=', id));
    recordAudit(tx, actor, {
      action: 'meeting.proxy_removed',
      metadata: { meeting: meetingId, giver, holder },
    });
  });
}

/** A holder of proxies, with what is known of the roll. */
interface Holding {
  meeting: Meeting;
  holder: DoorPerson;
  voters: ReadonlyMap<string, string>;
}

/**
 * Enters the proxies that a holder has brought along: those that are not entered before.
 * @throws 404; 409 as `enterProxy`
 */
export function bringProxies(tx: Tx, holding: Holding, named: readonly string[]): void {
  const known = listProxies(tx, holding.meeting.id);
  for (const giver of new Set(named))
    if (!known.some(({ giver_id, holder_id }) => giver_id === giver && holder_id === holding.holder.id))
      insertProxy(tx, holding, giver, { field: 'proxies', document: null });
}

/**
 * Proxies of a holder whose card is not out, with why it is not handed out now; without a reason it is. A giver who has
 * come, and waits for the card, is represented by nobody.
 */
export function listWaitingProxies(
  reader: Reader,
  meeting: Meeting,
  holderId: string,
): { proxy: Proxy; wait: Wait | undefined }[] {
  // A holder gives back all cards or none.
  const holder = findAttendance(reader, meeting.id, holderId)?.card;
  return listProxies(reader, meeting.id)
    .filter(({ holder_id, state }) => holder_id === holderId && state === 'given')
    .map((proxy) => ({ proxy, giver: findAttendance(reader, meeting.id, proxy.giver_id ?? '') }))
    .filter(({ giver }) => giver?.state !== 'in' && giver?.card !== 'held')
    .map(({ proxy, giver }) => {
      const before = holder === 'back' ? holder : (giver?.card ?? 'none');
      const of = { personId: proxy.giver_id ?? '', before, classes: [proxy.class, proxy.class] as const };
      return { proxy, wait: findWait(reader, meeting, of) };
    });
}

/**
 * Hands out the cards of those whom a person represents, but for those that wait.
 * @returns the ids and classes of the proxies
 */
export function handProxies(tx: Tx, meeting: Meeting, holderId: string): Pick<Proxy, 'id' | 'class'>[] {
  const handed: Pick<Proxy, 'id' | 'class'>[] = [];
  // One after the other: each takes a card from the pile.
  for (const { proxy } of listWaitingProxies(tx, meeting, holderId)) {
    const now = listWaitingProxies(tx, meeting, holderId).find((one) => one.proxy.id === proxy.id);
    if (!now || now.wait) continue;
    tx.run(build.updateTable('proxies').set({ state: 'used' }).where('id', '=', proxy.id));
    if (proxy.giver_id !== null) {
      endLinkOf(tx, meeting, proxy.giver_id);
      noteHolder(tx, meeting.id, proxy.giver_id, proxy.class);
    }
    handed.push({ id: proxy.id, class: proxy.class });
  }
  return handed;
}

function insertProxy(
  tx: Tx,
  { meeting, holder, voters }: Holding,
  giver: string,
  { field, document }: { field: string; document: string | null },
): string {
  const most = meeting.proxies_per_person;
  if (most === 0) throw conflict('proxies_off');
  const person = getPerson(tx, giver, voters);
  if (person.kind === null || holder.kind === null) throw badField(field, 'proxy_without_vote');
  if (giver === holder.id) throw badField(field, 'proxy_for_self');
  const there = findAttendance(tx, meeting.id, giver);
  if (there?.state === 'in') throw conflict('in_already', { name: person.name });
  if (there?.card === 'held') throw conflict('left_with_card', { name: person.name });
  const all = listProxies(tx, meeting.id);
  if (all.some(({ giver_id }) => giver_id === giver))
    throw conflict('represented_already', { name: person.name });
  const held = all.filter(({ holder_id }) => holder_id === holder.id).length;
  if (held >= most) throw conflict('too_many_proxies', { max: most });
  const id = newRandomId();
  const own = classOf(tx, meeting, person);
  const row = { id, meeting_id: meeting.id, giver_id: giver, holder_id: holder.id, class: own, document };
  tx.run(build.insertInto('proxies').values({ ...row, state: 'given' }));
  return id;
}

/** Ends a proxy whose card is not out, because its giver has come. */
export function endUnusedProxy(tx: Tx, { id }: Meeting, giverId: string): void {
  tx.run(
    build
      .deleteFrom('proxies')
      .where('meeting_id', '=', id)
      .where('giver_id', '=', giverId)
      .where('state', '=', 'given'),
  );
}

/** The cards that a holder has for others. */
export const usedProxies = (reader: Reader, meetingId: string, holderId: string): Proxy[] =>
  listProxies(reader, meetingId).filter(({ holder_id, state }) => holder_id === holderId && state === 'used');

/** The cards of these proxies are not out any more. */
export function takeBackProxies(tx: Tx, ids: readonly string[]): void {
  if (ids.length > 0) tx.run(build.updateTable('proxies').set({ state: 'given' }).where('id', 'in', ids));
}
