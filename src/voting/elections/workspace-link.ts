import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { WorkspaceLinksTable } from '#kernel/db/schema.ts';
import {
  AppError,
  badField,
  badRequest,
  conflict,
  fieldError,
  fieldErrorOf,
  forbidden,
} from '#kernel/http/errors.ts';
import { optionalText, requiredText } from '#kernel/http/validation.ts';
import { keepText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import {
  ensureWorkspace,
  titleContains,
  type WorkspaceChanges,
  type WorkspaceColumn,
  type WorkspacePage,
  workspaceIdIn,
} from '#kernel/workspace/client.ts';
import { type Election, type ElectionStatus, electionStatus, getElection } from './elections.ts';
import { getTurnout } from './turnout.ts';

export type WorkspaceLink = Selectable<WorkspaceLinksTable>;

const STATUS_PROPERTY = 'Status';
const LINK_PROPERTY = 'Voting Link';
const TURNOUT_PROPERTY = 'Turnout';
/** The name of each status in the workspace. */
const STATUS_NAMES: Record<ElectionStatus, string> = {
  scheduled: 'Scheduled',
  open: 'Open',
  closed: 'Closed',
};

const propertyName = optionalText(200).transform((name) => name ?? STATUS_PROPERTY);

/** The ids or the addresses of the database and the page. */
export const WorkspaceLinkInput = z.object({
  database_id: requiredText(500),
  page_id: requiredText(500),
  status_property_name: propertyName,
});
export const PagesQuery = z.object({ query: optionalText(200) });
export const ValidateQuery = z.object({ property_name: propertyName });

/** A link that `checkLink` has accepted, with ids as the workspace writes them. */
export type CheckedLink = Pick<WorkspaceLink, 'database_id' | 'page_id' | 'status_property_name'>;

/** Lists the databases of the allowlist that the key can read. @throws 500 without a key, 502 */
export async function listDatabases(ctx: Context): Promise<{ id: string; name: string }[]> {
  const workspace = ensureWorkspace(ctx.workspace);
  const found = await Promise.all(
    ctx.config.WORKSPACE_ALLOWED_DATABASE_IDS.map(async (id) => {
      try {
        const { written, name } = await workspace.getDatabase(id);
        return [{ id: written, name }];
      } catch (error) {
        // A database that is not shared with the key must not hide the others.
        if (error instanceof AppError && error.statusCode === 404) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

/** Finds up to 100 pages of a database by a part of their title. @throws 403 off the allowlist, 500, 502 */
export async function searchPages(ctx: Context, databaseId: string, query: string | null) {
  const workspace = ensureWorkspace(ctx.workspace);
  const id = ensureAllowed(ctx, databaseId);
  const { pages, next } = await workspace.queryPages(id, query ? { filter: titleContains(query) } : {});
  return { pages: pages.map((page) => ({ id: page.written, title: page.title })), has_more: next !== null };
}

/** Whether a page can show an election's status. @throws 403 off the allowlist, 404, 500, 502 */
export async function validatePage(ctx: Context, pageId: string, property_name = STATUS_PROPERTY) {
  const { errors, columns } = await examine(ctx, pageId, property_name);
  return { valid: errors.length === 0, errors, properties: columns };
}

/** @throws 400 naming the field, 403 off the allowlist, 404, 500, 502 */
export async function checkLink(
  ctx: Context,
  input: z.output<typeof WorkspaceLinkInput>,
): Promise<CheckedLink> {
  ensureWorkspace(ctx.workspace);
  const databaseId = ensureAllowed(ctx, input.database_id);
  const { page, errors } = await examine(ctx, input.page_id, input.status_property_name).catch(atPage);
  if (page.parentDatabaseId !== databaseId) throw badField('page_id', 'page_of_other_database');
  if (errors.length > 0) throw badField('status_property_name', 'invalid', { problem: errors.join('; ') });
  const { parentWritten: database_id, written: page_id } = page;
  return { database_id, page_id, status_property_name: input.status_property_name };
}

/** Stores the link of an election and replaces an earlier one. */
export function insertLink(tx: Tx, electionId: string, link: CheckedLink, actor: Actor): void {
  const row = { ...link, election_id: electionId, synced_at: null, last_error: null, last_status: null };
  const insert = build.insertInto('workspace_links').values(row);
  tx.run(insert.onConflict((conflict) => conflict.column('election_id').doUpdateSet(row)));
  recordAudit(tx, actor, { action: 'workspace.linked', election_id: electionId, metadata: link });
}

/** Links an election to a page and updates the page; if the update fails, `last_error` has the reason. */
export async function linkElection(
  ctx: Context,
  electionId: string,
  input: z.output<typeof WorkspaceLinkInput>,
  actor: Actor,
): Promise<WorkspaceLink> {
  if (getElection(ctx.db, electionId).trial === 1) throw conflict('trial_not_linked');
  const link = await checkLink(ctx, input);
  await ctx.write((tx) => {
    // The election may have been deleted during the request to the workspace.
    getElection(tx, electionId);
    insertLink(tx, electionId, link, actor);
  });
  await ctx.syncQueue.run(electionId, () => trySync(ctx, electionId, actor));
  return getLink(ctx.db, electionId);
}

/** Removes the link; the page stays as it is. Without a link nothing changes. @throws 404 */
export async function unlinkElection(ctx: Context, electionId: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    getElection(tx, electionId);
    const unlinked = build.deleteFrom('workspace_links').where('election_id', '=', electionId);
    const link = tx.first(unlinked.returning(['database_id', 'page_id']));
    if (link)
      recordAudit(tx, actor, { action: 'workspace.unlinked', election_id: electionId, metadata: link });
  });
}

export function findLink(reader: Reader, electionId: string): WorkspaceLink | undefined {
  return reader.first(build.selectFrom('workspace_links').selectAll().where('election_id', '=', electionId));
}

/** Counts the elections that are not closed and have a linked page. */
export function countFollowed(reader: Reader, now: number): number {
  const linked = build
    .selectFrom('workspace_links')
    .innerJoin('elections', 'elections.id', 'workspace_links.election_id')
    .selectAll('elections');
  return reader.all(linked).filter((election) => electionStatus(election, now) !== 'closed').length;
}

/**
 * Updates the page of an election: its status, and the voting link and the number of used tokens if the page has
 * properties for them. It never writes a result.
 * @throws 400 without a link, 403 when the page's database is not on the allowlist, 404, 500, 502
 */
export async function syncElection(ctx: Context, electionId: string, actor: Actor): Promise<WorkspaceLink> {
  return ctx.syncQueue.run(electionId, () => sync(ctx, electionId, actor));
}

/**
 * Updates the pages of all elections whose status differs from the one last written: for the job, and after a close by
 * hand. It never throws: a failure is stored in `last_error`, and each one makes the pause before the next try longer.
 */
export async function syncChangedElections(ctx: Context): Promise<void> {
  if (!ctx.workspace) return;
  try {
    for (const id of listChanged(ctx)) {
      if (ctx.syncQueue.isPaused(PROVIDER)) return;
      if (ctx.syncQueue.isPaused(id)) continue;
      await ctx.syncQueue.run(id, () => trySync(ctx, id, { ip: SERVICE, at: ctx.now() }));
    }
  } catch (err) {
    ctx.log.error({ err }, 'workspace sync failed');
  }
}

async function trySync(ctx: Context, electionId: string, actor: Actor): Promise<void> {
  try {
    // An earlier sync in the queue may have done it.
    if (listChanged(ctx).includes(electionId)) await sync(ctx, electionId, actor);
  } catch (error) {
    const expected = error instanceof AppError;
    // With 502 the provider is down, for every page; any other failure concerns only this page.
    ctx.syncQueue.pause(expected && error.statusCode === 502 ? PROVIDER : electionId);
    if (!expected) ctx.log.error({ err: error, election: electionId }, 'workspace sync failed');
  }
}

async function sync(ctx: Context, electionId: string, actor: Actor): Promise<WorkspaceLink> {
  const election = getElection(ctx.db, electionId);
  const link = getLink(ctx.db, electionId);
  const workspace = ensureWorkspace(ctx.workspace);
  const status = electionStatus(election, ctx.now());
  try {
    const page = await workspace.getPage(link.page_id);
    ensureAllowed(ctx, page.parentDatabaseId);
    await workspace.updatePage(link.page_id, changesFor(ctx, election, status, link, page));
  } catch (error) {
    const last_error = keptError(error);
    await ctx.write((tx) => tx.run(updateLink(link, { last_error })));
    throw error;
  }
  await ctx.write((tx) => {
    const synced = { synced_at: ctx.now(), last_error: null, last_status: status };
    // It may have been unlinked, or linked to another page, in the meantime.
    if (tx.run(updateLink(link, synced)) === 0) return;
    const metadata = { page_id: link.page_id, status };
    recordAudit(tx, actor, { action: 'workspace.synced', election_id: electionId, metadata });
  });
  for (const key of [PROVIDER, electionId]) ctx.syncQueue.resume(key);
  return getLink(ctx.db, electionId);
}

/** Returns the values to write. Link and turnout are left out unless the page has these properties with their type. */
function changesFor(
  ctx: Context,
  { id }: Election,
  status: ElectionStatus,
  { status_property_name }: WorkspaceLink,
  { properties }: WorkspacePage,
): WorkspaceChanges {
  const name = STATUS_NAMES[status];
  const changes: WorkspaceChanges = {};
  const { type } = properties[status_property_name] ?? {};
  if (type === 'status') changes[status_property_name] = { status: { name } };
  else if (type === 'select') changes[status_property_name] = { select: { name } };
  else throw badRequest('no_status_property', { name: status_property_name });

  if (properties[LINK_PROPERTY]?.type === 'url' && ctx.config.BASE_URL)
    changes[LINK_PROPERTY] = { url: `${ctx.config.BASE_URL}/e/${id}` };
  if (properties[TURNOUT_PROPERTY]?.type === 'number')
    changes[TURNOUT_PROPERTY] = { number: getTurnout(ctx.db, id).used };
  return changes;
}

async function examine(ctx: Context, pageId: string, property: string) {
  const workspace = ensureWorkspace(ctx.workspace);
  const page = await workspace.getPage(workspaceIdIn(pageId) ?? pageId);
  ensureAllowed(ctx, page.parentDatabaseId, 'page_id');
  const columns = page.dataSourceId ? await workspace.listColumns(page.dataSourceId) : [];
  return { page, columns, errors: listFaults(columns, property) };
}

function listFaults(columns: WorkspaceColumn[], property: string): string[] {
  const column = columns.find(({ name }) => name === property);
  if (!column) return [`the page has no property “${property}”`];
  if (column.type !== 'status' && column.type !== 'select')
    return [`“${property}” must be a status or select property, not ${column.type}`];
  const missing = Object.values(STATUS_NAMES).filter((name) => !column.options?.includes(name));
  return missing.length > 0 ? [`“${property}” lacks the options ${missing.join(', ')}`] : [];
}

/** Returns the normalised id of a database. @throws 403 unless it is on the allowlist */
function ensureAllowed(
  ctx: Context,
  databaseId: string | null,
  path: 'database_id' | 'page_id' = 'database_id',
): string {
  const id = workspaceIdIn(databaseId ?? '');
  if (id && ctx.config.WORKSPACE_ALLOWED_DATABASE_IDS.includes(id)) return id;
  const problem = path === 'page_id' ? 'may_not_use_page' : 'may_not_use_database';
  throw forbidden(
    'database_not_allowed',
    {},
    {
      errors: [fieldError(path, problem)],
    },
  );
}

/** Reports a page that was not found as an error of the field page_id. */
function atPage(error: Error): never {
  if (!(error instanceof AppError) || error.statusCode !== 404) throw error;
  throw AppError.of(404, error, { errors: [fieldErrorOf('page_id', error)] });
}

function getLink(reader: Reader, electionId: string): WorkspaceLink {
  const link = findLink(reader, electionId);
  if (!link) throw badRequest('not_linked');
  return link;
}

/** An error as it is stored with a link. */
const keptError = (error: unknown): string =>
  keepText(
    error instanceof AppError ? (error.pageText ?? error.message) : t('voting-admin.settings.page_failed'),
  );

/** Key of the pauses that concern every page. */
const PROVIDER = 'provider';

const updateLink = ({ election_id, page_id }: WorkspaceLink, change: Partial<WorkspaceLink>) =>
  build
    .updateTable('workspace_links')
    .set(change)
    .where('election_id', '=', election_id)
    .where('page_id', '=', page_id);

/** Ids of the elections whose status differs from the one last written. */
function listChanged(ctx: Context): string[] {
  const rows = ctx.db.all(
    build
      .selectFrom('workspace_links')
      .innerJoin('elections', 'elections.id', 'workspace_links.election_id')
      .select(['elections.id', 'open_at', 'close_at', 'closed_at', 'last_status']),
  );
  return rows.filter((row) => electionStatus(row, ctx.now()) !== row.last_status).map(({ id }) => id);
}
