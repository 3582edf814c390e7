import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { hasAddressPart } from '#kernel/mail-addresses.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { listInvites } from './invites.ts';

export const INVITES_A_PAGE = 15;

const text = (max: number) => z.string().trim().max(max).optional().catch(undefined);

/** The query of the list of invitations; invalid parameters count as absent. */
export const InvitesQuery = z.object({
  q: text(254),
  filter: text(20),
  sort: text(20),
  batch: text(200),
  page: wholeNumber(1, 1_000_000).optional().catch(undefined),
});

type Row = ReturnType<typeof listInvites>[number];

const FILTERS = {
  all: () => true,
  prepared: ({ status }) => status === 'PREPARED',
  queued: ({ status, withdrawn_at }) => status === 'QUEUED' && withdrawn_at === null,
  sent: ({ status, withdrawn_at }) => status === 'SENT' && withdrawn_at === null,
  failed: ({ status, withdrawn_at }) => status === 'FAILED' && withdrawn_at === null,
  slip: ({ slip, withdrawn_at }) => slip !== null && withdrawn_at === null,
  withdrawn: ({ withdrawn_at }) => withdrawn_at !== null,
  'not-voted': ({ status, used, withdrawn_at }) =>
    status === 'SENT' && used === false && withdrawn_at === null,
} as const satisfies Record<string, (row: Row) => boolean>;

export type InviteFilter = keyof typeof FILTERS;

/** Sorts `member97` before `member979`. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const SORTS = {
  address: (a, b) => natural.compare(a.email, b.email) || natural.compare(a.name ?? '', b.name ?? ''),
  name: (a, b) =>
    natural.compare(a.name ?? '\uffff', b.name ?? '\uffff') || natural.compare(a.email, b.email),
  newest: (a, b) =>
    (b.sent_at ?? b.created_at) - (a.sent_at ?? a.created_at) || natural.compare(a.email, b.email),
} as const satisfies Record<string, (a: Row, b: Row) => number>;

export type InviteSort = keyof typeof SORTS;

/** Returns one page of an election's invitations that match an officer's search. */
export function searchInvites(
  ctx: Context,
  election: Pick<Issuer, 'id'>,
  { q = '', filter, sort, batch, page = 1 }: z.output<typeof InvitesQuery>,
  showRoll: boolean,
) {
  const all = listInvites(ctx.db, election.id, showRoll);
  const chosen = isKey(FILTERS, filter) ? filter : 'all';
  const sorted = isKey(SORTS, sort) ? sort : 'address';
  const words = q.toLowerCase();
  const matching = all
    .filter(FILTERS[chosen])
    .filter(({ batch_name }) => batch === undefined || batch_name === batch)
    .filter(({ email, name }) => hasAddressPart(email, words) || (name ?? '').toLowerCase().includes(words))
    .sort(SORTS[sorted]);
  const shown = Math.min(page, Math.max(1, Math.ceil(matching.length / INVITES_A_PAGE)));
  const from = (shown - 1) * INVITES_A_PAGE;
  return {
    rows: matching.slice(from, from + INVITES_A_PAGE),
    total: matching.length,
    all: all.length,
    query: { q, filter: chosen, sort: sorted, ...(batch !== undefined && { batch }), page: shown },
    /** Finds an invitation by id, whether or not it matches the search. */
    recipient: (id: string | undefined) => all.find((row) => row.id === id),
  };
}

function isKey<T extends object>(of: T, text: string | undefined): text is Extract<keyof T, string> {
  return text !== undefined && Object.hasOwn(of, text);
}
