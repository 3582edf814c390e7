import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { storedName } from '#content/records/rows.ts';
import { findPubState } from '#content/shifts.ts';
import { kept } from '#kernel/cache.ts';
import { DAY, isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { TakeoversTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { forClub } from '#kernel/locale.ts';
import { PRESETS, type TakeoverInput } from './takeover-input.ts';
import { readQrPath } from './takeover-qr.ts';

type Row = Selectable<TakeoversTable>;

/** A notice that fills screens from `startedAt` until before `expiresAt`, both ISO. */
export interface Takeover {
  id: string;
  kind: Row['kind'];
  title: string;
  text: string;
  /** Names of the screens; an empty list means all. */
  screens: string[];
  startedAt: string;
  expiresAt: string;
  /** The target of its QR code, without BASE_URL a path of this service, and the address of the code's image. */
  qrUrl?: string;
  qrImageUrl?: string;
  /** The path of a page that the screens show; title and text stand for it where that fails. */
  pageUrl?: string;
}

/** The newest takeover. Screens that it does not name, and all after its end, show the first match in `earlier`. */
export interface CurrentTakeover extends Takeover {
  /** The others that are running, newest first. */
  earlier: Takeover[];
}

/** How many running takeovers are sent at most. */
const SENT_AT_MOST = 20;
const KEPT = 30 * DAY;

const RUNNING = kept<readonly Row[]>();

/** Lists takeovers that were neither ended nor expired when read, newest first; cached until one starts or is ended. */
export function listTakeovers({
  config,
  db,
  cache,
  hub,
  now,
}: Pick<Context, 'config' | 'db' | 'cache' | 'hub' | 'now'>): readonly Row[] {
  const make = () => {
    const rows = db.all(
      build
        .selectFrom('takeovers')
        .selectAll()
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now())
        // Ids of the same millisecond are not ordered.
        .orderBy(sql`rowid`, 'desc'),
    );
    return rows.map((row) => ({ ...row, qr: row.qr && (config.BASE_URL ?? '') + row.qr }));
  };
  return cache.get(RUNNING, '', make, [hub.version('takeovers')]);
}

/** Returns the takeover to show at `now`; null while none is running. */
export function currentTakeover(takeovers: readonly Row[], now: number): CurrentTakeover | null {
  const [newest, ...earlier] = takeovers
    .filter(({ expires_at }) => now < expires_at)
    .slice(0, SENT_AT_MOST)
    .map(toWire);
  return newest ? { ...newest, earlier } : null;
}

/** When the next of these expires; infinity while none is running. */
export function nextExpiry(takeovers: readonly Row[], now: number): number {
  const coming = takeovers.map(({ expires_at }) => expires_at).filter((at) => at > now);
  return Math.min(Number.POSITIVE_INFINITY, ...coming);
}

/**
 * Fills the screens with a notice. It replaces a running one of its kind, unless that is on other screens too. Last
 * orders without minutes end when the pub closes, after an hour at the latest.
 * @returns its id, and those of the notices that it replaced
 */
export async function startTakeover(
  ctx: Context,
  { kind, title, text, minutes, screens, qr: leadsTo }: z.output<typeof TakeoverInput>,
  actor: Actor,
  page: string | null = null,
): Promise<{ id: string; replaced: string[] }> {
  const started_at = actor.at;
  const qr = leadsTo ? readQrPath(ctx, leadsTo) : null;
  const preset = PRESETS[kind];
  const closing = kind === 'last_orders' ? closingTime(ctx, started_at) : undefined;
  const latest = started_at + preset.most * MINUTE;
  const usual = Math.min(closing ?? started_at + preset.minutes * MINUTE, latest);
  const expires_at = minutes === undefined ? usual : started_at + minutes * MINUTE;
  const id = newId(started_at);
  const replaced = await ctx.write((tx) => {
    deleteOld(tx, started_at);
    const same = listCovered(tx, { kind, screens, now: started_at });
    for (const one of same) markEnded(tx, one, actor);
    tx.run(
      build.insertInto('takeovers').values({
        id,
        kind,
        qr,
        page,
        screens: JSON.stringify(screens),
        // A custom title is shown without the text of the preset.
        title: title ?? (preset.title ? forClub(preset.title) : ''),
        text: text ?? (title || !preset.text ? '' : forClub(preset.text)),
        started_at,
        expires_at,
        started_by: storedName(actor),
        ended_at: null,
        ended_by: null,
      }),
    );
    const lasts = Math.round((expires_at - started_at) / MINUTE);
    const metadata = {
      takeover: id,
      kind,
      minutes: lasts,
      screens: screens.length,
      ...(qr && { qr }),
      ...(page && { page }),
    };
    recordAudit(tx, actor, { action: 'takeover.started', metadata });
    return same;
  });
  ctx.hub.publish('takeovers');
  return { id, replaced };
}

/** Hands screens to a page of this service for a day at most. */
export async function showPage(
  ctx: Context,
  { page, title, screens }: { page: string; title: string; screens: string[] },
  actor: Actor,
): Promise<void> {
  const minutes = PRESETS.voting.most;
  const notice = { kind: 'voting' as const, title, text: null, qr: null, minutes, screens };
  await startTakeover(ctx, notice, actor, page);
}

/** Ends the takeovers that show a page. Publish `takeovers` afterwards. */
export function endPage(tx: Tx, page: string, actor: Actor): void {
  const shown = tx.all(
    build.selectFrom('takeovers').select('id').where('page', '=', page).where('ended_at', 'is', null),
  );
  for (const { id } of shown) markEnded(tx, id, actor);
}

/** Whether a screen shows a page. */
export const isPageShown = (ctx: Context, page: string): boolean =>
  listTakeovers(ctx).some((one) => one.page === page && ctx.now() < one.expires_at);

/** The running takeovers of a kind that are on no other screens than these; an empty list means all screens. */
function listCovered(
  tx: Tx,
  { kind, screens, now }: { kind: Row['kind']; screens: readonly string[]; now: number },
): string[] {
  const running = build
    .selectFrom('takeovers')
    .select(['id', 'screens'])
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now);
  const isCovered = (row: Pick<Row, 'screens'>) => {
    const names = JSON.parse(row.screens) as string[];
    return screens.length === 0 || (names.length > 0 && names.every((name) => screens.includes(name)));
  };
  return tx
    .all(running)
    .filter(isCovered)
    .map(({ id }) => id);
}

/** Ends a takeover early; an earlier one that still runs is shown again. Changes nothing if it is over. @throws 404 */
export async function endTakeover(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    if (
      !markEnded(tx, id, actor) &&
      !tx.first(build.selectFrom('takeovers').select('id').where('id', '=', id))
    )
      throw notFound('takeover_not_found');
  });
  ctx.hub.publish('takeovers');
}

/** @returns false when it was over */
function markEnded(tx: Tx, id: string, actor: Actor): boolean {
  const claim = build
    .updateTable('takeovers')
    .set({ ended_at: actor.at, ended_by: storedName(actor) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', actor.at);
  if (tx.run(claim) === 0) return false;
  recordAudit(tx, actor, { action: 'takeover.ended', metadata: { takeover: id } });
  return true;
}

/** Shows takeovers again that were ended early, until the time that they had. */
export async function resumeTakeovers(ctx: Context, ids: readonly string[], actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    for (const id of ids) {
      const claim = build
        .updateTable('takeovers')
        .set({ ended_at: null, ended_by: null })
        .where('id', '=', id)
        .where('ended_at', 'is not', null)
        .where('expires_at', '>', actor.at);
      if (tx.run(claim) === 1)
        recordAudit(tx, actor, { action: 'takeover.resumed', metadata: { takeover: id } });
    }
  });
  ctx.hub.publish('takeovers');
}

/** The pub's closing time, within the limits of a notice; undefined while it is closed or its hours are unknown. */
function closingTime(ctx: Context, now: number): number | undefined {
  const { closesAt } = findPubState(ctx);
  return closesAt === null ? undefined : Math.min(Math.max(closesAt, now + MINUTE), now + DAY);
}

function deleteOld(tx: Tx, now: number): void {
  tx.run(build.deleteFrom('takeovers').where('expires_at', '<', now - KEPT));
}

function toWire({ id, kind, title, text, screens, started_at, expires_at, qr, page }: Row): Takeover {
  return {
    id,
    kind,
    title,
    text,
    screens: JSON.parse(screens) as string[],
    startedAt: isoTime(started_at),
    expiresAt: isoTime(expires_at),
    ...(qr && { qrUrl: qr, qrImageUrl: `/api/takeover/${id}/qr` }),
    ...(page && { pageUrl: page }),
  };
}
