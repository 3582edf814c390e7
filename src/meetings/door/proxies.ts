import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { ProxiesTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { optionalText, requiredText } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { ensureNotClosed, getMeeting, type Meeting } from '../meetings.ts';
import { leaverOf } from './leavers.ts';
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
    const id = insertProxy(tx, holds, giver, { field: 'giver', document, state: 'given' });
    recordAudit(tx, actor, {
      action: 'meeting.proxy_entered',
      metadata: { meeting: meetingId, giver, holder },
    });
    return id;
  });
}

/** @throws 404; 409 once its card was handed out: the holder returns it, and the giver is checked in */
export function removeProxy(ctx: Context, meetingId: string, id: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const proxy = listProxies(tx, meetingId).find((one) => one.id === id);
    if (!proxy) throw notFound('not_found');
    if (proxy.state !== 'given') throw conflict('proxy_used');
    tx.run(build.deleteFrom('proxies').where('id', '=', id));
    const { giver_id: giver, holder_id: holder } = proxy;
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
 * Hands out the cards of those whom a person represents: the ones named, or those entered before.
 * @returns their classes
 */
export function useProxies(tx: Tx, holding: Holding, named: readonly string[] | undefined): string[] {
  const { meeting, holder, voters } = holding;
  const own = listProxies(tx, meeting.id).filter(({ holder_id }) => holder_id === holder.id);
  for (const giver of new Set(named ?? []))
    if (!own.some(({ giver_id, state }) => giver_id === giver && state !== 'ended'))
      insertProxy(tx, holding, giver, { field: 'proxies', document: null, state: 'given' });
  const waiting = listProxies(tx, meeting.id).filter(
    ({ holder_id, giver_id, state }) =>
      holder_id === holder.id && state === 'given' && (named === undefined || named.includes(giver_id ?? '')),
  );
  for (const { id, giver_id } of waiting) {
    tx.run(build.updateTable('proxies').set({ state: 'used' }).where('id', '=', id));
    if (giver_id !== null) endLinkOf(tx, meeting, getPerson(tx, giver_id, voters));
  }
  return waiting.map((proxy) => proxy.class);
}

function insertProxy(
  tx: Tx,
  { meeting, holder, voters }: Holding,
  giver: string,
  { field, document, state }: { field: string; document: string | null; state: Proxy['state'] },
): string {
  const most = meeting.proxies_per_person;
  if (most === 0) throw conflict('proxies_off');
  const person = getPerson(tx, giver, voters);
  if (person.kind === null || holder.kind === null) throw badField(field, 'proxy_without_vote');
  if (giver === holder.id) throw badField(field, 'proxy_for_self');
  const present = build.selectFrom('attendance').select('id').where('meeting_id', '=', meeting.id);
  if (tx.first(present.where('person_id', '=', giver).where('state', '=', 'in')))
    throw conflict('in_already', { name: person.name });
  const left = tx.first(present.where('person_id', '=', giver).where('state', '=', 'out'));
  const own = classOf(tx, meeting, person);
  if (left && !leaverOf(tx, meeting.id, own).hasReturned)
    throw conflict('left_with_card', { name: person.name });
  const all = listProxies(tx, meeting.id);
  const known = all.find(({ giver_id }) => giver_id === giver);
  if (known && known.state !== 'ended') throw conflict('represented_already', { name: person.name });
  const held = all.filter(({ holder_id, state }) => holder_id === holder.id && state !== 'ended').length;
  if (held >= most) throw conflict('too_many_proxies', { max: most });
  const id = newRandomId();
  // An ended one leaves its card counted, and its place to the new one.
  if (known) tx.run(build.updateTable('proxies').set({ giver_id: null }).where('id', '=', known.id));
  tx.run(
    build.insertInto('proxies').values({
      id,
      meeting_id: meeting.id,
      giver_id: giver,
      holder_id: holder.id,
      class: own,
      document,
      state,
    }),
  );
  return id;
}

/**
 * Ends the proxy of a giver who has come.
 * @returns who has to return its card, if it was handed out
 */
export function endProxyOf(
  tx: Tx,
  { id }: Meeting,
  giverId: string,
): { name: string; class: string } | undefined {
  const proxy = listProxies(tx, id).find(({ giver_id, state }) => giver_id === giverId && state !== 'ended');
  if (!proxy) return undefined;
  if (proxy.state === 'given') {
    tx.run(build.deleteFrom('proxies').where('id', '=', proxy.id));
    return undefined;
  }
  tx.run(build.updateTable('proxies').set({ state: 'ended' }).where('id', '=', proxy.id));
  const holder = tx.first(
    build
      .selectFrom('persons')
      .select('name')
      .where('id', '=', proxy.holder_id ?? ''),
  );
  return { name: holder?.name ?? '', class: proxy.class };
}

/** The classes of the cards that a holder was handed for others. */
export const usedProxies = (reader: Reader, meetingId: string, holderId: string): string[] =>
  listProxies(reader, meetingId)
    .filter(({ holder_id, state }) => holder_id === holderId && state === 'used')
    .map((proxy) => proxy.class);

/** The cards of a holder's proxies are back in the pile. */
export function giveBackProxies(tx: Tx, meetingId: string, holderId: string): void {
  tx.run(
    build
      .updateTable('proxies')
      .set({ state: 'given' })
      .where('meeting_id', '=', meetingId)
      .where('holder_id', '=', holderId)
      .where('state', '=', 'used'),
  );
}
