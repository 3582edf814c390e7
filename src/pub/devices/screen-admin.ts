import type { Updateable } from 'kysely';
import { z } from 'zod';
import { findPicture } from '#content/pictures/pictures.ts';
import { storedName } from '#content/records/rows.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { badField, badFields, conflict, fieldErrorOf, notFound } from '#kernel/http/errors.ts';
import { differing } from '#kernel/http/record.ts';
import { REQUIRED_TEXT, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';
import { screenLabel } from '#pub/display/screen-label.ts';
import { framedBy, type Mix, pagesOf } from './mixes.ts';
import { makeCodeFor, readCode, useCode } from './pairings.ts';
import { SCREEN } from './screen-record.ts';
import { findById, getRow } from './screens.ts';
import { findPageFault } from './web-pages.ts';

const IDENTIFY_FOR = 10 * SECOND;

type Decided = z.output<typeof SCREEN.patch>;

/** A change of a screen. The name is null for the one of its address. */
export const ScreenInput = SCREEN.patch.extend({
  name: screenLabel.transform((name) => name || null).nullish(),
  /** The revision that the change was made from: what somebody else has changed since is not overwritten. */
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER),
});

const code = z.string(REQUIRED_TEXT).max(100, coded('too_long', { max: 100 }));

/** A screen to be paired: the code that it shows, and what staff decide about it. */
export const PairInput = SCREEN.input.extend({
  code,
  name: screenLabel.refine((name) => name !== '', coded('empty')),
});

/** The code that another browser shows, which is to be this screen; without it one is made. */
export const RepairInput = z.object({ code: code.optional() });

/**
 * Pairs the screen that shows this code. A screen that had the name in its address gives way to it.
 * @returns its id @throws 404 for a code that no screen shows, 409 for a used one, 429 after ten wrong ones
 */
export async function pairScreen(
  ctx: Context,
  { code: text, ...decided }: z.output<typeof PairInput>,
  actor: Actor,
): Promise<string> {
  const code = readCode(ctx, text, actor);
  await assertPages(ctx, decided, []);
  const { at } = actor;
  const id = newId(at);
  await ctx.write((tx) => {
    assertPictures(tx, decided);
    deleteNamed(tx, decided.name);
    tx.run(
      build.insertInto('screens').values({
        ...SCREEN.columns(decided, ctx),
        id,
        name: decided.name,
        paired_at: at,
        paired_by: storedName(actor),
        version: '',
        viewport: '',
        started_at: at,
        first_seen_at: at,
        last_seen_at: at,
        told_at: at,
      }),
    );
    useCode(tx, code, id, at);
    recordAudit(tx, actor, { action: 'screen.paired', metadata: { screen: id, name: decided.name } });
  });
  ctx.hub.publish('screens');
  return id;
}

/** The mixes that were decided, each with its path in the body. */
const mixesOf = ({ mix, times = [] }: Decided): [path: string, mix: Mix][] => [
  ...(mix ? [['mix', mix] satisfies [string, Mix]] : []),
  ...times.map((slot, index): [string, Mix] => [`times.${index}.mix`, slot.mix]),
];

/** @throws 400 for a picture that does not exist */
function assertPictures(tx: Tx, decided: Decided): void {
  for (const [path, { pictures }] of mixesOf(decided))
    for (const [index, { id }] of pictures.entries())
      if (!findPicture(tx, id)) throw badField(`${path}.pictures.${index}.id`, 'no_such_picture');
}

/**
 * Looks at the pages of other hosts that this screen does not show yet, each once, all at a time.
 * @throws 400 for one that this service must not or cannot show
 */
async function assertPages(ctx: Context, decided: Decided, known: readonly string[]): Promise<void> {
  const entered = mixesOf(decided).flatMap(([path, { pages }]) =>
    pages.map(({ url }, index) => ({ url, path: `${path}.pages.${index}.url` })),
  );
  const news = new Set(entered.map(({ url }) => url)).difference(new Set(known));
  const looks = [...news].map(async (url) => [url, await findPageFault(ctx, url)] as const);
  const faults = new Map(await Promise.all(looks));
  for (const { url, path } of entered) {
    const fault = faults.get(url);
    if (fault) throw badFields([fieldErrorOf(path, fault)]);
  }
}

function deleteNamed(tx: Tx, name: string): void {
  const rows = tx.all(build.selectFrom('screens').select(['id', 'screen']).where('paired_at', 'is', null));
  for (const { id, screen } of rows)
    if (screen !== null && nameKey(screen) === nameKey(name))
      tx.run(build.deleteFrom('screens').where('id', '=', id));
}

/**
 * Changes what staff decide about a screen, which is told at once.
 * @throws 404; 409 if it was changed since `revision`, or if its address decides about its page
 */
export async function changeScreen(
  ctx: Context,
  id: string,
  { revision, ...decided }: z.output<typeof ScreenInput>,
  actor: Actor,
): Promise<void> {
  const before = findById(ctx.db, id);
  await assertPages(ctx, decided, before ? pagesOf(before) : []);
  await ctx.write((tx) => {
    const row = getRow(tx, id);
    if (revision !== row.revision)
      throw conflict('screen_changed_since', {}, { extra: { revision: row.revision } });
    if (row.paired_at !== null && decided.name === null) throw badField('name', 'empty');
    assertPictures(tx, decided);
    const { name } = decided;
    const columns = { ...SCREEN.changes(row, decided, ctx), ...differing(row, { name }) };
    const isMoved = ['page', 'turn', 'inset'].some((column) => column in columns);
    if (row.paired_at === null && isMoved) throw conflict('screen_not_paired');
    // Its page may frame only the hosts that it was loaded with.
    const isFraming = !new Set(framedBy({ ...row, ...columns })).isSubsetOf(new Set(framedBy(row)));
    const reload = isFraming && { reload_at: actor.at };
    change(tx, id, { ...columns, ...reload }, { actor, action: 'screen.changed' });
  });
  ctx.hub.publish('screens');
}

/**
 * Ends the secret of a screen and keeps all else, so that another browser can be this screen.
 * @returns the code of that browser, or a new one that it can be given @throws 404, 409, 429 as `pairScreen`
 */
export async function repairScreen(
  ctx: Context,
  id: string,
  { code: text }: z.output<typeof RepairInput>,
  actor: Actor,
): Promise<string> {
  const shown = text === undefined ? undefined : readCode(ctx, text, actor);
  const code = await ctx.write((tx) => {
    const row = getRow(tx, id);
    const paired = { paired_at: actor.at, paired_by: storedName(actor), secret_hash: null };
    const named = { screen: null, name: row.name ?? row.screen };
    change(tx, id, { ...paired, ...named }, { actor, action: 'screen.repaired' });
    if (shown === undefined) return makeCodeFor(tx, id, actor.at);
    useCode(tx, shown, id, actor.at);
    return shown;
  });
  ctx.hub.publish('screens');
  return code;
}

/** Makes a screen reload its page. @throws 404 */
export function reloadScreen(ctx: Context, id: string, actor: Actor): Promise<void> {
  return tell(ctx, id, { reload_at: actor.at }, { actor, action: 'screen.reloaded' });
}

/** Makes a screen show its name for ten seconds. @throws 404 */
export function identifyScreen(ctx: Context, id: string, actor: Actor): Promise<void> {
  const identify_until = actor.at + IDENTIFY_FOR;
  return tell(ctx, id, { identify_until }, { actor, action: 'screen.identified' });
}

/**
 * Removes a screen from the list. A paired one has to be paired again; one with a name in its address comes back with
 * its next heartbeat. @throws 404
 */
export async function removeScreen(
  ctx: Context,
  id: string,
  action: 'screen.retired' | 'screen.forgotten',
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    if (tx.run(build.deleteFrom('screens').where('id', '=', id)) === 0) throw notFound('screen_not_found');
    recordAudit(tx, actor, { action, metadata: { screen: id } });
  });
  ctx.hub.publish('screens');
}

interface Recorded {
  actor: Actor;
  action: string;
}

/** Stores what staff decided as the next revision. */
function change(tx: Tx, id: string, columns: Updateable<ScreensTable>, { actor, action }: Recorded): void {
  const update = build.updateTable('screens').set((of) => ({
    ...columns,
    told_at: actor.at,
    revision: of('revision', '+', 1),
  }));
  tx.run(update.where('id', '=', id));
  recordAudit(tx, actor, { action, metadata: { screen: id } });
}

/** A sign for the screen, which changes nothing that staff decided. */
async function tell(
  ctx: Context,
  id: string,
  sign: { reload_at: number } | { identify_until: number },
  { actor, action }: Recorded,
): Promise<void> {
  await ctx.write((tx) => {
    const told = build.updateTable('screens').set({ ...sign, told_at: actor.at });
    if (tx.run(told.where('id', '=', id)) === 0) throw notFound('screen_not_found');
    recordAudit(tx, actor, { action, metadata: { screen: id } });
  });
  ctx.hub.publish('screens');
}
