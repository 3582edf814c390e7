import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, badRequest, notFound } from '#kernel/http/errors.ts';
import { type Columns, nameField, record, textField } from '#kernel/http/record.ts';
import { listOf } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import type { Words } from '#kernel/language/words.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { pageTextOf, sentenceOf } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';

export const ADDRESSES_PER_LIST = 10_000;

/** What is written of a list. The words of its form are `LIST_WORDS`. */
export const LIST = record({
  name: nameField(200, { autocomplete: 'off' }),
  description: textField(1_000, { rows: 2 }),
});

export const AddressesInput = z.object({ emails: listOf(z.string(), ADDRESSES_PER_LIST) });

export interface DistributionListJson {
  id: string;
  name: string;
  description: string | null;
  count: number;
  /** `name` if it was given before the address. */
  emails: { id: string; email: string; name?: string }[];
}

/** Every list with its addresses, by name. */
export function listDistributionLists(reader: Reader): DistributionListJson[] {
  const lists = reader.all(build.selectFrom('distribution_lists').selectAll().orderBy('name').orderBy('id'));
  const entries = reader.all(build.selectFrom('distribution_list_emails').selectAll().orderBy('email'));
  const byList = Map.groupBy(entries, (entry) => entry.list_id);
  return lists.map(({ id, name, description }) => {
    const emails = (byList.get(id) ?? []).map(entryJson);
    return { id, name, description, count: emails.length, emails };
  });
}

const listById = prepare((p: { id: string }) =>
  build.selectFrom('distribution_lists').selectAll().where('id', '=', p.id),
);

/** @throws 404 */
export function getDistributionList(reader: Reader, id: string): DistributionListJson {
  const list = reader.first(listById({ id }));
  if (!list) throw notFound('list_not_found');
  const emails = reader.all(
    build
      .selectFrom('distribution_list_emails')
      .select(['id', 'email', 'name'])
      .where('list_id', '=', id)
      .orderBy('email'),
  );
  const { name, description } = list;
  return { id, name, description, count: emails.length, emails: emails.map(entryJson) };
}

const entryJson = ({ id, email, name }: { id: string; email: string; name: string | null }) => ({
  id,
  email,
  ...(name !== null && { name }),
});

/** @returns the new list's id. @throws 400 when the name is taken */
export async function createDistributionList(
  ctx: Context,
  input: z.output<typeof LIST.input>,
  actor: Actor,
): Promise<string> {
  return ctx.write((tx) => {
    ensureNameFree(tx, input.name);
    const id = newId(actor.at);
    tx.run(
      build
        .insertInto('distribution_lists')
        .values({ id, ...LIST.columns(input, ctx), created_at: actor.at }),
    );
    recordAudit(tx, actor, { action: 'list.created', metadata: { list_id: id, name: input.name } });
    return id;
  });
}

/** Changes name or description; absent fields stay unchanged. @throws 404, 400 when the name is taken */
export async function updateDistributionList(
  ctx: Context,
  id: string,
  input: z.output<typeof LIST.patch>,
  actor: Actor,
) {
  await changeList(ctx, id, (tx, before) => {
    if (input.name) ensureNameFree(tx, input.name, id);
    const set = LIST.changes(before, input, ctx);
    if (Object.keys(set).length === 0) return;
    tx.run(build.updateTable('distribution_lists').set(set).where('id', '=', id));
    recordAudit(tx, actor, { action: 'list.changed', metadata: { list_id: id, ...set } });
  });
}

/** @throws 404 */
export async function deleteDistributionList(ctx: Context, id: string, actor: Actor): Promise<void> {
  await changeList(ctx, id, (tx, { name }) => {
    tx.run(build.deleteFrom('distribution_lists').where('id', '=', id));
    recordAudit(tx, actor, { action: 'list.deleted', metadata: { list_id: id, name } });
  });
}

export interface AddedAddresses {
  added: number;
  /** Addresses that were on the list already, or were sent twice. */
  skipped: number;
  invalid: { email: string; reason: Words | string }[];
}

/** Adds addresses to a list, each once. @throws 404, 400 over the limit */
export async function addAddresses(
  ctx: Context,
  id: string,
  emails: string[],
  actor: Actor,
): Promise<AddedAddresses> {
  if (emails.length === 0) throw badField('emails', 'empty');
  const read = emails.map((email) => ({ email, ...normalizeAddress(email) }));
  const invalid = read.flatMap((one) =>
    one.ok
      ? []
      : [{ email: one.email.slice(0, 254), reason: pageTextOf(one.reason) ?? sentenceOf(one.reason) }],
  );
  const good = new Map(read.flatMap((one) => (one.ok ? [[one.email, one.name ?? null] as const] : [])));

  return changeList(ctx, id, (tx) => {
    const known = new Set(
      tx
        .all(build.selectFrom('distribution_list_emails').select('email').where('list_id', '=', id))
        .map((row) => row.email),
    );
    const fresh = [...good].filter(([email]) => !known.has(email));
    if (known.size + fresh.length > ADDRESSES_PER_LIST) {
      throw badRequest('list_full', { max: ADDRESSES_PER_LIST });
    }
    for (const [email, name] of fresh) {
      const entry = { id: newId(actor.at), list_id: id, email, name };
      tx.run(build.insertInto('distribution_list_emails').values(entry));
    }
    if (fresh.length > 0)
      recordAudit(tx, actor, { action: 'list.changed', metadata: { list_id: id, added: fresh.length } });
    return { added: fresh.length, skipped: emails.length - invalid.length - fresh.length, invalid };
  });
}

/** @throws 404 */
export async function removeAddress(ctx: Context, id: string, emailId: string, actor: Actor): Promise<void> {
  await changeList(ctx, id, (tx) => {
    const removed = tx.run(
      build.deleteFrom('distribution_list_emails').where('list_id', '=', id).where('id', '=', emailId),
    );
    if (removed === 0) throw notFound('address_not_found');
    recordAudit(tx, actor, { action: 'list.changed', metadata: { list_id: id, removed: 1 } });
  });
}

/** The addresses of several lists, with their names. @throws 404 for an unknown list */
export function listAddresses(reader: Reader, listIds: string[]): { email: string; name?: string }[] {
  return listIds.flatMap((id) => getDistributionList(reader, id).emails);
}

function changeList<T>(
  ctx: Context,
  id: string,
  change: (tx: Tx, before: Columns<typeof LIST.fields>) => T,
): Promise<T> {
  return ctx.write((tx) => {
    const list = tx.first(listById({ id }));
    if (!list) throw notFound('list_not_found');
    return change(tx, list);
  });
}

function ensureNameFree(tx: Tx, name: string, except?: string): void {
  const taken = tx
    .all(build.selectFrom('distribution_lists').select(['id', 'name']))
    .some((list) => isSameName(list.name, name) && list.id !== except);
  if (taken) throw badField('name', 'list_name_taken');
}
