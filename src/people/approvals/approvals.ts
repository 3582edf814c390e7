import type { FastifyRequest } from 'fastify';
import { UNKNOWN_OFFICER } from '#kernel/access/actors.ts';
import { findRoles } from '#kernel/access/person-roles.ts';
import { isRole, type Permission, permissionsOf, ROLES } from '#kernel/access/roles.ts';
import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { ApprovalsTable } from '#kernel/db/schema.ts';
import { needsTwoPeople } from '#kernel/db/settings.ts';
import { actorOf } from '#kernel/http/client.ts';
import { conflict, forbidden, notFound } from '#kernel/http/errors.ts';
import { isForm } from '#kernel/http/http.ts';
import { newId } from '#kernel/ids.ts';
import { inEnglish, keepText, readText } from '#kernel/language/kept-text.ts';
import type { Words } from '#kernel/language/words.ts';
import { open, seal, sha256 } from '#kernel/secrets.ts';
import { mailNotice } from '#people/notices.ts';
import { type GraveActName, graveAct } from './grave-acts.ts';

/** How long a second person can confirm an act. */
const WAITS = DAY;
/** What stored requests are sealed for. */
const PURPOSE = 'approved act';
/** How long a role that the asking person granted does not let its holder confirm. */
const NEW_ROLE = 7 * DAY;

/** Stands for the two people where an act is tried out before there are two. */
const REHEARSED: TwoPeople = { by_two: ['', ''], words: {} };

/** A grave act that somebody asks for. */
export interface SensitiveAct {
  kind: GraveActName;
  /** A sentence without its subject: `Close “Budget” before its time`. */
  act: Words | string;
  /** What exactly it does, for the person who confirms it. */
  details?: ActDetail[];
  /** The permission needed to do or confirm it, if not that of its kind. */
  permission?: Permission;
  /** Throws if these two cannot do it together, by their ids. */
  ensureTwo?: (first: string, second: string) => void;
}

/** The two people who do an act together, by `person:<id>`, and why the first of them asked for it. */
export interface TwoPeople {
  by_two: [first: string, second: string];
  words: { reason?: string; note?: string };
}

/** A fact about an act: figures, a date, names. */
export interface ActDetail {
  label: Words | string;
  value: Words | string;
}

/** An act that waits for a second person, as JSON. */
export interface PendingAct {
  id: string;
  act: string;
  details: { label: string; value: string }[];
  expires_at: string;
}

/** The same, with the act for pages. */
export interface Waits {
  act: Words | string;
  json: PendingAct;
}

/** An act that may be done now, by two people if two have to do it. */
export interface Allowed {
  two?: TwoPeople | undefined;
  /** Called once it is done. */
  tell: () => void;
}

const ALLOWED: Allowed = { tell: () => undefined };

/**
 * Called before a grave act. If the club requires two people, the act is stored until it is confirmed; otherwise the
 * others with the permission are notified after it. The only person with the permission needs no confirmation. Acts that
 * two people do in any case wait too; where the club does not require two, the same request by another person does them.
 * @param ensurePossible throws what refuses the act itself, before anybody else is asked
 * @returns the stored act, or what is needed to do it now
 * @throws 403 for keys and unknown officers where two people are needed, for a second person who may not be one; 409 if
 * another person has asked for something else at this address
 */
export async function requireApproval(
  ctx: Context,
  request: FastifyRequest,
  sensitive: SensitiveAct,
  ensurePossible: (two: TwoPeople) => Promise<unknown> = async () => undefined,
): Promise<Waits | Allowed> {
  const { kind, act, details = [], ensureTwo } = sensitive;
  const { always = false, ...known } = graveAct(kind);
  const permission = sensitive.permission ?? known.permission ?? 'elections:certify';
  const person = actingPerson(request);
  const isRule = needsTwoPeople(ctx.db);
  if (request.approvedBy !== undefined) {
    if (person === undefined) return ALLOWED;
    ensureTwo?.(person, request.approvedBy);
    return { ...ALLOWED, two: twoOf(person, request.approvedBy, request.body) };
  }
  if (person === undefined) {
    if (isRule) throw forbidden('second_person_needed', {}, { extra: { needs: 'approval' } });
    if (always) throw needsPerson();
    return ALLOWED;
  }
  const others = listPeopleWith(ctx.db, permission, ctx.now()).filter((id) => id !== person);
  const by = nameOf(ctx.db, person);
  const keptAct = { act: keepText(act), details: details.map(keptDetail) };
  if (!always && (!isRule || others.length === 0))
    return { tell: () => mailNotice(ctx, request, others, 'act-notice', { ...keptAct, by, waits: false }) };

  const { method, url } = request;
  const path = pathOf(url);
  const before = always ? findAsked(ctx, kind, path) : undefined;
  if (before) {
    const first = before.asked_by.replace('person:', '');
    if (first === person || isRule) return waitsOf(before);
    if (!asksTheSame(before, request)) throw conflict('asked_otherwise', { act: readText(before.act) });
    ensureTwo?.(first, person);
    const two = twoOf(first, person, JSON.parse(before.body ?? '{}'));
    await ensurePossible(two);
    await decide(ctx, { ...before, decision: 'confirmed' }, person, actorOf(request, ctx.now));
    return { ...ALLOWED, two };
  }
  await ensurePossible(REHEARSED);
  // It may contain secrets, as the password of a mail server.
  const payload = seal(ctx.secretKey, PURPOSE, JSON.stringify(request.sent ?? null));
  const asked_at = ctx.now();
  const row: ApprovalsTable = {
    id: newId(asked_at),
    act: keptAct.act,
    details: JSON.stringify(keptAct.details),
    permission,
    method,
    url,
    payload,
    is_form: isForm(request) ? 1 : 0,
    hash: hashOf({ method, url, payload }),
    asked_by: `person:${person}`,
    asked_at,
    decided_by: null,
    decided_at: null,
    decision: null,
    kind,
    path,
    body: always ? JSON.stringify(request.body ?? {}) : null,
  };
  await ctx.write((tx) => {
    tx.run(build.insertInto('approvals').values(row));
    const metadata = { approval: row.id, permission };
    recordAudit(tx, actorOf(request, ctx.now), { action: 'approval.asked', metadata });
  });
  mailNotice(ctx, request, others, 'act-notice', { ...keptAct, by, waits: true });
  return waitsOf(row);
}

const keptDetail = ({ label, value }: ActDetail) => ({ label: keepText(label), value: keepText(value) });

/** What a stored act does, and what is to know of it. */
export const actOf = (
  row: Pick<ApprovalsTable, 'act' | 'details'>,
): { act: Words | string; details: ActDetail[] } => ({
  act: readText(row.act),
  details: detailsOf(JSON.parse(row.details)),
});

/** The same of details alone, as they are stored. */
export const detailsOf = (kept: readonly { label: string; value: string }[]): ActDetail[] =>
  kept.map(({ label, value }) => ({ label: readText(label), value: readText(value) }));

/** The same for JSON. */
export function actJson(row: Pick<ApprovalsTable, 'act' | 'details'>): Pick<PendingAct, 'act' | 'details'> {
  const { act, details } = actOf(row);
  return {
    act: inEnglish(act),
    details: details.map(({ label, value }) => ({ label: inEnglish(label), value: inEnglish(value) })),
  };
}

const waitsOf = (row: ApprovalsTable): Waits => ({
  act: readText(row.act),
  json: { id: row.id, ...actJson(row), expires_at: isoTime(approvalExpiry(row)) },
});

/** Where two people are needed and neither of them can be a key. */
export const needsPerson = () => forbidden('person_needed', {}, { extra: { needs: 'person' } });

const pathOf = (url: string): string => url.split('?')[0] ?? url;

/** Why an act is done is in the words of whoever asked for it first. */
function twoOf(first: string, second: string, body: unknown): TwoPeople {
  const { reason, note } = (body ?? {}) as Record<string, unknown>;
  return {
    by_two: [`person:${first}`, `person:${second}`],
    words: { ...(typeof reason === 'string' && { reason }), ...(typeof note === 'string' && { note }) },
  };
}

/** Whether a request asks for what is stored, whatever reason it gives. */
function asksTheSame({ method, body }: ApprovalsTable, request: FastifyRequest): boolean {
  const without = (given: unknown) => {
    const { reason: _, note: __, ...rest } = (given ?? {}) as Record<string, unknown>;
    return JSON.stringify(rest);
  };
  return method === request.method && without(JSON.parse(body ?? '{}')) === without(request.body);
}

/** The act of this kind that waits at an address. @param path without a query */
export function findAsked(
  ctx: Context,
  kind: GraveActName,
  path: string,
): (ApprovalsTable & { by: string }) | undefined {
  return listApprovals(ctx).find((row) => row.kind === kind && row.path === path);
}

/** Forgets what waits at an address, because it can no longer be meant. */
export const forgetAsked = (tx: Tx, kind: GraveActName, path: string): number =>
  tx.run(
    build
      .deleteFrom('approvals')
      .where('kind', '=', kind)
      .where('path', '=', path)
      .where('decided_at', 'is', null),
  );

/** The id of the person who sends a request; undefined for API keys and unidentified clients. */
export function actingPerson({
  actor,
  actorPerson,
}: Pick<FastifyRequest, 'actor' | 'actorPerson'>): string | undefined {
  return actorPerson ?? /^person:(.+)$/.exec(actor ?? '')?.[1];
}

/** The fields of a stored request. @throws 409 if it was sealed with another key */
export function requestOf({ secretKey }: Context, { payload }: Pick<ApprovalsTable, 'payload'>): unknown {
  // Earlier versions stored it as it is.
  const text = payload?.startsWith('v1.') ? open(secretKey, PURPOSE, payload) : (payload ?? 'null');
  if (text === undefined) throw conflict('approval_changed');
  return JSON.parse(text);
}

export const hashOf = ({
  method,
  url,
  payload,
}: Pick<ApprovalsTable, 'method' | 'url' | 'payload'>): string =>
  sha256(JSON.stringify([method, url, payload]));

/** Returns the acts that wait, the oldest first. */
export function listApprovals(ctx: Context): (ApprovalsTable & { by: string })[] {
  const rows = ctx.db.all(
    build
      .selectFrom('approvals')
      .selectAll()
      .where('decided_at', 'is', null)
      .where('asked_at', '>', ctx.now() - WAITS)
      .orderBy('asked_at'),
  );
  return rows.map((row) => ({ ...row, by: nameOf(ctx.db, row.asked_by.replace('person:', '')) }));
}

/** The time at which a pending act expires. */
export const approvalExpiry = ({ asked_at }: Pick<ApprovalsTable, 'asked_at'>): number => asked_at + WAITS;

/** @throws 404 when it was decided or has expired */
export function getApproval(ctx: Context, id: string): ApprovalsTable {
  const row = listApprovals(ctx).find((approval) => approval.id === id);
  if (!row) throw notFound('approval_over');
  return row;
}

/**
 * Confirms or refuses an act. The person who asked may only refuse it, which withdraws it.
 * @param hash hash of the act as it was shown
 * @throws 403 when one's own act is confirmed, 404 as `getApproval`, 409 when the stored act is not the one shown
 */
export async function decide(
  ctx: Context,
  { id, hash, decision }: { id: string; hash: string; decision: 'confirmed' | 'refused' },
  person: string,
  actor: Actor,
): Promise<ApprovalsTable> {
  const row = getApproval(ctx, id);
  const decided_by = `person:${person}`;
  if (decision === 'confirmed' && row.asked_by === decided_by) throw forbidden('second_person_must_be_other');
  if (decision === 'confirmed' && !mayConfirm(ctx, row, person)) throw forbidden('role_too_new');
  if (hash !== row.hash || hash !== hashOf(row)) throw conflict('approval_changed');
  await ctx.write((tx) => {
    const claimed = tx.run(
      build
        .updateTable('approvals')
        .set({ decision, decided_by, decided_at: actor.at, payload: null, body: null })
        .where('id', '=', id)
        .where('decided_at', 'is', null),
    );
    if (claimed === 0) throw notFound('approval_over');
    const metadata = { approval: id, asked_by: row.asked_by };
    const action = decision === 'confirmed' ? 'approval.confirmed' : 'approval.refused';
    recordAudit(tx, actor, { action, metadata });
  });
  return row;
}

/**
 * Whether a person is independent of the one who asked: they have the role for seven days, or got it from somebody
 * else, or the access edge lets them in without a role. Otherwise one person could confirm with a second account.
 */
function mayConfirm(ctx: Context, { kind, permission, asked_by }: ApprovalsTable, person: string): boolean {
  if (kind !== null && graveAct(kind as GraveActName).anyRole) return true;
  const asker = asked_by.replace('person:', '');
  const addresses = ctx.db.all(build.selectFrom('addresses').select('email').where('person_id', '=', asker));
  const names = new Set([asked_by, ...addresses.map(({ email }) => email)]);
  const roles = ctx.db.all(
    build
      .selectFrom('person_roles')
      .select(['role', 'granted_by', 'granted_at'])
      .where('person_id', '=', person)
      .where((is) => is.or([is('until', 'is', null), is('until', '>', ctx.now())])),
  );
  const fitting = roles.filter(({ role }) => permissionsOf([role]).has(permission as Permission));
  return (
    fitting.length === 0 ||
    fitting.some(({ granted_by, granted_at }) => !names.has(granted_by) || granted_at <= ctx.now() - NEW_ROLE)
  );
}

/** Deletes the stored requests of expired acts. */
export async function forgetOldApprovals(ctx: Context): Promise<void> {
  const before = ctx.now() - WAITS;
  const old = build
    .selectFrom('approvals')
    .select('id')
    .where('payload', 'is not', null)
    .where('asked_at', '<=', before);
  if (!ctx.db.first(old)) return;
  await ctx.write((tx) =>
    tx.run(build.updateTable('approvals').set({ payload: null, body: null }).where('id', 'in', old)),
  );
}

/** Ids of the people whose current roles include a permission. */
export function listPeopleWith(reader: Reader, permission: Permission, now: number): string[] {
  const roles = Object.keys(ROLES).filter((role) => isRole(role) && permissionsOf([role]).has(permission));
  const people = reader.all(
    build.selectFrom('person_roles').select('person_id').distinct().where('role', 'in', roles),
  );
  return people
    .map(({ person_id }) => person_id)
    .filter((id) => permissionsOf(findRoles(reader, id, now)).has(permission));
}

function nameOf(reader: Reader, person: string): string {
  const row = reader.first(build.selectFrom('persons').select('name').where('id', '=', person));
  return row?.name ?? UNKNOWN_OFFICER;
}
