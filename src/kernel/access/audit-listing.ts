import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Permission } from '#kernel/access/roles.ts';
import { startOfHour } from '#kernel/db/audit.ts';
import { shownClient, shownMetadata } from '#kernel/db/audit-personal.ts';
import { RECORDED } from '#kernel/db/facts/statements.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { askedPageSize, pageSize, wholeNumber } from '#kernel/http/validation.ts';

const filter = z
  .string()
  .trim()
  .max(64)
  .optional()
  .transform((text) => text || undefined);

const [USUAL, MOST] = [50, 200];

/** The query for a page of the log, the same for all routes. */
export const AuditQuery = z.object({
  limit: pageSize(USUAL, MOST),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  action: filter,
  election_id: filter,
});

/** Entries on a page for people: they are longer than the rows of other lists. */
export const ENTRIES_A_PAGE = 10;

/** The same for HTML pages, whose usual limit is `ENTRIES_A_PAGE`: with `fold` `off` every single entry is shown. */
export const AuditPageQuery = AuditQuery.extend({
  limit: askedPageSize(MOST),
  fold: z.enum(['on', 'off']).default('on').catch('on'),
});

/** The nouns of the actions, by the part of the club that they concern. A test checks that none is missing. */
export const AUDIT_NOUNS = {
  voting: [
    ...['election', 'vote', 'tokens', 'batch', 'candidate', 'option', 'invite', 'reminder', 'results'],
    ...['list', 'workspace', 'electors', 'meeting', 'door', 'nomination', 'nominations', 'motion', 'motions'],
    ...['paper', 'facts'],
  ],
  people: [
    ...['person', 'people', 'kind', 'group', 'session', 'sign_in', 'recovery_codes', 'club'],
    ...['passkey', 'oidc', 'elector', 'settings'],
  ],
  pub: [
    ...['controls', 'lyrics', 'lighting', 'sound', 'now_showing', 'screening', 'request', 'play', 'name'],
    ...['feedback', 'content', 'event', 'picture', 'ical', 'takeover', 'screen', 'menu', 'taps'],
  ],
  calendar: ['calendar', 'subscriber', 'subscription'],
  house: ['access', 'roles', 'approval', 'database', 'backup', 'mail', 'sender_token'],
} as const;

type Part = keyof typeof AUDIT_NOUNS;

/** The permissions that show each part of the log to its readers. Those who see elections see pub and calendar too. */
const OPENED_BY: Record<Part, readonly Permission[]> = {
  voting: ['elections:read'],
  people: ['people:read'],
  pub: ['elections:read', 'now_showing:read'],
  calendar: ['elections:read', 'calendar:read'],
  house: ['elections:read', 'roles:read'],
};

/** The nouns of the entries that are visible with these permissions. */
function seenNouns(permissions: ReadonlySet<Permission>): string[] {
  const parts = Object.keys(AUDIT_NOUNS) as Part[];
  return parts
    .filter((part) => OPENED_BY[part].some((permission) => permissions.has(permission)))
    .flatMap((part) => AUDIT_NOUNS[part]);
}

const isSeen = (permissions: ReadonlySet<Permission>) =>
  sql<SqlBool>`substr(action, 1, instr(action, '.') - 1) IN (
    SELECT value FROM json_each(${JSON.stringify(seenNouns(permissions))}))`;

/** The permissions of the reader, and the time: entries they may not see and old client addresses are left out. */
export interface AuditReader {
  permissions: ReadonlySet<Permission>;
  now: number;
  /** Whether everybody may see the figures of an election; without it no part that tells of figures is shown. */
  arePublic?(electionId: string): boolean;
}

/** The parts of entries that tell of the figures of an election, for readers who see no figures before everybody. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  'election.lot_drawn': ['order'],
  'results.manual_set': ['figures_sha256'],
  'meeting.hands_counted': ['yes', 'no', 'abstain', 'invalid'],
  'meeting.hands_corrected': ['from', 'to'],
  'meeting.item_unopposed': ['elected'],
};

/** Newest entries first, with the number of all that match. */
export function listAudit(
  db: Reader,
  { limit, offset, action, election_id }: z.output<typeof AuditQuery>,
  reader: AuditReader,
) {
  const { permissions, now } = reader;
  let matching = build.selectFrom('audit_log').where(isSeen(permissions));
  // What an act has changed, in hashes, stands in an entry after it: readers see it where they ask for it.
  if (action) matching = matching.where('action', '=', action);
  else matching = matching.where('action', '!=', RECORDED);
  if (election_id) matching = matching.where('election_id', '=', election_id);

  const rows = db.all(
    matching
      .select(['id', 'action', 'ip_address', 'election_id', 'timestamp', 'metadata', 'personal', 'client'])
      .orderBy('seq', 'desc')
      .limit(limit)
      .offset(offset),
  );
  const { total } = db.first(matching.select((of) => of.fn.countAll<number>().as('total')))!;
  const logs = rows.map(({ personal: _personal, client: _client, ...row }) => ({
    ...row,
    ip_address: shownClient({ ...row, client: _client }, now),
    metadata: JSON.stringify(withoutFigures(row, shownMetadata({ ...row, personal: _personal }), reader)),
    ...(row.action === 'vote.submitted' && shownVote(row)),
  }));
  return { logs, total };
}

/** An order of a lot names the tied; certified figures of a small election are found from their hash by trying. */
function withoutFigures(
  { action, election_id }: { action: string; election_id: string | null },
  metadata: Record<string, unknown>,
  { permissions, arePublic }: AuditReader,
): Record<string, unknown> {
  const telling = TELLING[action];
  if (telling === undefined || permissions.has('elections:certify')) return metadata;
  const of = election_id ?? metadata.question;
  if (typeof of === 'string' && arePublic?.(of)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !telling.includes(name)));
}

/** What is shown of a vote: its client or moment may tell who voted. Older versions stored both. */
const shownVote = ({ id, timestamp }: { id: string; timestamp: number }) => ({
  ip_address: null,
  timestamp: startOfHour(timestamp),
  // An id that begins with its time keeps its random part.
  id: id[14] === '7' ? `00000000-0000-7${id.slice(15)}` : id,
});

/** The actions in the log that are visible with these permissions, for a filter. */
export function listAuditActions(db: Reader, { permissions }: Pick<AuditReader, 'permissions'>): string[] {
  const seen = new Set(seenNouns(permissions));
  const rows = db.all(build.selectFrom('audit_log').select('action').distinct().orderBy('action'));
  return rows
    .map(({ action }) => action)
    .filter((action) => seen.has(action.slice(0, Math.max(0, action.indexOf('.')))));
}
