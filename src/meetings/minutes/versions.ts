import { type Selectable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, ONE, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { MeetingMinutesTable, MinutesSignaturesTable } from '#kernel/db/schema.ts';
import { badField, conflict, forbidden, notFound } from '#kernel/http/errors.ts';
import { oneOf, optionalText, requiredText } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { sha256 } from '#kernel/secrets.ts';
import { listItems } from '#meetings/items.ts';
import {
  areMinutesSigned,
  getMeeting,
  type Meeting,
  SignersPatch,
  type StoredSigners,
} from '#meetings/meetings.ts';
import { meetingDifferences } from '#meetings/recorded.ts';
import { listOptions } from '#voting/elections/elections.ts';
import { findSigner, isAddress, type MinutesFacts, minutesFacts } from './facts.ts';
import { type LaterChange, listLaterChanges } from './later.ts';
import { changeTexts, type MinutesTexts, NO_TEXTS, parseTexts, TextsPatch } from './texts.ts';

export type SignerRole = MinutesSignaturesTable['role'];
export const SIGNER_ROLES = ['chair', 'secretary'] as const satisfies SignerRole[];

export const MinutesPatch = z.object({ texts: TextsPatch.default({}), ...SignersPatch });
export const SignInput = z.object({
  as: oneOf(SIGNER_ROLES),
  /** The SHA-256 of what the person has read, as the page sends it. */
  sha256: optionalText(64),
});
export const CorrectInput = z.object({ reason: requiredText(1_000) });

/** A part of the minutes in the order in which it is read; every format is made from these. */
export type Block =
  | { is: 'title' | 'heading' | 'annex' | 'text' | 'note' | 'wording'; text: string }
  | { is: 'facts'; rows: [term: string, value: string][] }
  | { is: 'table'; caption: string; columns: { label: string; number?: true }[]; rows: string[][] }
  /** `numbers`: where they are not 1, 2, 3. */
  | { is: 'list'; items: string[]; numbers?: string[] };

/** The minutes in structure and in words; both are signed. */
export interface MinutesContent {
  facts: MinutesFacts;
  blocks: Block[];
}

/** Writes the minutes of what happened. */
export type Compose = (facts: MinutesFacts) => Block[];

type Row = Selectable<MeetingMinutesTable>;

export interface Signature {
  as: SignerRole;
  name: string;
  signed_at: string;
}

/** A version of the minutes: a draft is made anew at each look, a signed one is as it was signed. */
export interface Minutes {
  version: number;
  state: 'draft' | 'signed';
  reason: string | null;
  signed_at: string | null;
  sha256: string;
  content: MinutesContent;
  signatures: Signature[];
  /** What changed a result after it was signed. */
  later: LaterChange[];
  /** A sentence for each thing in which content, row, signatures and log do not agree. */
  differences: Words[];
}

/** A version in the list of all. */
export type MinutesVersion = Pick<Minutes, 'version' | 'state' | 'reason' | 'signed_at'>;

/** The name of a file with minutes, without its ending: in the language of the club, as the minutes are. */
export const minutesFile = (version: number): string =>
  t('meetings.minutes.file', { version: String(version) }).for(clubReader());

const hashOf = (content: MinutesContent): string => sha256(JSON.stringify(content));

const listRows = (reader: Reader, meetingId: string): Row[] =>
  reader.all(
    build.selectFrom('meeting_minutes').selectAll().where('meeting_id', '=', meetingId).orderBy('version'),
  );

/** All versions, the first first; minutes in which nobody has written are a draft too. */
export function listVersions(reader: Reader, meetingId: string): MinutesVersion[] {
  const rows = listRows(reader, meetingId);
  if (rows.length === 0) return [{ version: 1, state: 'draft', reason: null, signed_at: null }];
  return rows.map(({ version, reason, signed_at }) => ({
    version,
    state: signed_at === null ? 'draft' : 'signed',
    reason,
    signed_at: signed_at === null ? null : isoTime(signed_at),
  }));
}

export const newestVersion = (reader: Reader, meetingId: string): Row | undefined =>
  listRows(reader, meetingId).at(-1);

/** The newest signed version's number; undefined without one. */
export const lastSigned = (reader: Reader, meetingId: string): number | undefined =>
  listVersions(reader, meetingId).findLast(({ state }) => state === 'signed')?.version;

/** Minutes that somebody is to write or sign, or to correct since something changed a result after the signing. */
export interface OwnMinutes {
  meeting: string;
  title: string;
  to_correct?: true;
}

/** The meetings whose minutes somebody is to write, sign or correct. */
export function listOwnMinutes(reader: Reader, personId: string): OwnMinutes[] {
  return reader
    .all(
      build
        .selectFrom('meetings')
        .select(['id', 'title'])
        .where((is) => is.or([is('chair_id', '=', personId), is('secretary_id', '=', personId)]))
        .where('state', '!=', 'prepared')
        .orderBy('held_at', 'desc'),
    )
    .flatMap(({ id, title }): OwnMinutes[] => {
      if (!areMinutesSigned(reader, { id })) return [{ meeting: id, title }];
      return areToCorrect(reader, id) ? [{ meeting: id, title, to_correct: true }] : [];
    });
}

/** Whether something changed a result after the newest version was signed, and no correction has begun. */
export function areToCorrect(reader: Reader, meetingId: string): boolean {
  const last = listVersions(reader, meetingId).at(-1);
  return last?.state === 'signed' && listLaterChanges(reader, meetingId, last.version).length > 0;
}

/** @param version the newest by default @throws 404 */
export async function getMinutes(
  ctx: Context,
  meeting: Meeting,
  compose: Compose,
  version?: number,
): Promise<Minutes> {
  const rows = listRows(ctx.db, meeting.id);
  const row = version === undefined ? rows.at(-1) : rows.find((one) => one.version === version);
  if (!row && version !== undefined && (version !== 1 || rows.length > 0))
    throw notFound('minutes_not_found');
  const content: MinutesContent =
    row?.content != null ? JSON.parse(row.content) : await draftContent(ctx, meeting, row, compose);
  const hash = row?.sha256 ?? hashOf(content);
  const isSigned = row?.signed_at != null;
  return {
    version: row?.version ?? 1,
    state: row?.signed_at == null ? 'draft' : 'signed',
    reason: row?.reason ?? null,
    signed_at: row?.signed_at == null ? null : isoTime(row.signed_at),
    sha256: hash,
    content,
    signatures: row ? listSignatures(ctx.db, row, hash).map(signatureJson) : [],
    later: row && isSigned ? listLaterChanges(ctx.db, meeting.id, row.version) : [],
    differences: [
      ...(row && isSigned ? listSignedDifferences(ctx.db, row, content) : []),
      ...meetingDifferences(ctx, meeting),
    ],
  };
}

/** Compares a signed version: the hash of its content, its row, both signatures and the log have to be equal. */
function listSignedDifferences(reader: Reader, row: Row, content: MinutesContent): Words[] {
  // The last of each of the two: a signature that became void was followed by another one.
  const logged = reader.all(
    build
      .selectFrom('audit_log')
      .select([sql<string>`metadata ->> 'as'`.as('role'), sql<string>`metadata ->> 'sha256'`.as('sha256')])
      .where('action', '=', 'meeting.minutes_signed')
      .where(
        sql<SqlBool>`metadata ->> 'meeting' = ${row.meeting_id} AND metadata ->> 'version' = ${row.version}`,
      )
      .orderBy('seq', 'desc')
      .limit(sql.lit(SIGNER_ROLES.length)),
  );
  const hash = hashOf(content);
  const signed = signaturesOf(reader, row).filter(({ sha256: own }) => own === hash);
  return [
    ...(row.sha256 === hash ? [] : [t('meetings.minutes.differs_content')]),
    ...(isByBoth(signed) ? [] : [t('meetings.minutes.differs_signatures')]),
    ...(logged.length === 0
      ? [t('meetings.minutes.differs_no_signature')]
      : isByBoth(logged.filter(({ sha256: own }) => own === hash))
        ? []
        : [t('meetings.minutes.differs_number')]),
  ];
}

/** Whether each of those who sign is among these signatures: none at all are not both. */
const isByBoth = (signatures: readonly { role: string }[]): boolean =>
  SIGNER_ROLES.every((role) => signatures.some((one) => one.role === role));

async function draftContent(
  ctx: Context,
  meeting: Meeting,
  row: Row | undefined,
  compose: Compose,
): Promise<MinutesContent> {
  const number = row?.version ?? 1;
  const texts = row ? parseTexts(row.texts) : firstTexts(ctx.db, meeting);
  const before = listRows(ctx.db, meeting.id).find(({ version }) => version === number - 1);
  const corrects =
    before?.signed_at == null ? null : { reason: row?.reason ?? '', signed_at: isoTime(before.signed_at) };
  const facts = await minutesFacts(ctx, meeting, { number, texts, corrects });
  return { facts, blocks: compose(facts) };
}

/** The hash under which the draft would be signed now. */
export const draftHash = async (ctx: Context, meeting: Meeting, compose: Compose): Promise<string> =>
  hashOf(await draftContent(ctx, meeting, newestVersion(ctx.db, meeting.id), compose));

/** Signatures under these contents: one under others is void. */
const listSignatures = (reader: Reader, { meeting_id, version }: Row, hash: string) =>
  reader.all(
    build
      .selectFrom('minutes_signatures')
      .selectAll()
      .where('meeting_id', '=', meeting_id)
      .where('version', '=', version)
      .where('sha256', '=', hash)
      .orderBy('role'),
  );

const signatureJson = ({ role, name, signed_at }: Selectable<MinutesSignaturesTable>): Signature => ({
  as: role,
  name,
  signed_at: isoTime(signed_at),
});

/** New minutes begin with the seat and the number in the register that the last ones had. */
function firstTexts(reader: Reader, { id }: Meeting): MinutesTexts {
  const last = reader.first(
    build
      .selectFrom('meeting_minutes')
      .select('texts')
      .where('meeting_id', '!=', id)
      .orderBy('created_at', 'desc')
      .orderBy('meeting_id')
      .limit(ONE),
  );
  if (!last) return NO_TEXTS;
  const { kind, seat, register } = parseTexts(last.texts);
  return { ...NO_TEXTS, kind, seat, register };
}

/** The version that is being written. @throws 409 once it is signed */
export function openDraft(tx: Tx, meeting: Meeting, actor: Actor): Row {
  const last = listRows(tx, meeting.id).at(-1);
  if (last?.signed_at != null) throw conflict('minutes_signed');
  return (
    last ?? insertVersion(tx, meeting, { version: 1, texts: firstTexts(tx, meeting), reason: null }, actor)
  );
}

function insertVersion(
  tx: Tx,
  { id: meeting_id }: Meeting,
  { version, texts, reason }: { version: number; texts: MinutesTexts; reason: string | null },
  { at: created_at }: Actor,
): Row {
  const row = { meeting_id, version, texts: JSON.stringify(texts), reason, created_at };
  const unsigned = {
    content: null,
    sha256: null,
    signed_at: null,
    chair_asked: null,
    secretary_asked: null,
  };
  tx.run(build.insertInto('meeting_minutes').values({ ...row, ...unsigned }));
  return { ...row, ...unsigned };
}

/**
 * Changes the texts of a draft, or who signs it. Signatures under the former contents are void.
 * @throws 400 for an item or a candidate of another meeting, 404, 409 once it is signed
 */
export function changeMinutes(
  ctx: Context,
  meetingId: string,
  { texts: patch, signers }: { texts: z.output<typeof TextsPatch>; signers: StoredSigners },
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    const row = openDraft(tx, meeting, actor);
    ensureOwn(tx, meeting, patch);
    const texts = JSON.stringify(changeTexts(parseTexts(row.texts), patch));
    const fields = Object.entries(signers).flatMap(([name, id]) =>
      id !== undefined && id !== meeting[name as keyof StoredSigners] ? [name] : [],
    );
    if (fields.length > 0) tx.run(build.updateTable('meetings').set(signers).where('id', '=', meetingId));
    if (texts !== row.texts) tx.run(versionOf('update', row).set({ texts }));
    const changed = [...fields, ...(texts === row.texts ? [] : Object.keys(patch))];
    if (changed.length > 0) record(tx, row, 'meeting.minutes_changed', { fields: changed }, actor);
  });
}

export const versionOf = (_: 'update', { meeting_id, version }: Pick<Row, 'meeting_id' | 'version'>) =>
  build.updateTable('meeting_minutes').where('meeting_id', '=', meeting_id).where('version', '=', version);

/** @throws 400 for an item or a candidate of another meeting, and for details that this one does not ask for */
function ensureOwn(
  reader: Reader,
  { id, elected_details }: Meeting,
  { items = {}, terms = {}, elected = {} }: z.output<typeof TextsPatch>,
): void {
  const all = listItems(reader, id);
  for (const [field, given] of Object.entries({ items, terms }))
    for (const key of Object.keys(given))
      if (!all.some((item) => item.id === key)) throw badField(`texts.${field}.${key}`, 'not_item');
  const people = Object.keys(elected);
  if (people.length === 0) return;
  if (elected_details === 0) throw badField('texts.elected', 'no_elected_details');
  const known = new Set(
    all
      .flatMap(({ election_id }) => (election_id === null ? [] : listOptions(reader, election_id)))
      .map((option) => option.id),
  );
  const other = people.find((one) => !known.has(one));
  if (other !== undefined) throw badField(`texts.elected.${other}`, 'not_candidate');
}

/**
 * Signs the minutes of a closed meeting as one of the two persons whom it names. The second signature freezes them.
 * Signed already, nothing changes.
 * @throws 403 for anybody else; 409 that names the state, and where the contents are not those that were read
 */
export async function signMinutes(
  ctx: Context,
  meetingId: string,
  { as, sha256: read }: z.output<typeof SignInput>,
  compose: Compose,
  { person, actor }: { person: string | undefined; actor: Actor },
): Promise<void> {
  const meeting = getMeeting(ctx.db, meetingId);
  const before = listRows(ctx.db, meetingId).at(-1);
  const content = await draftContent(ctx, meeting, before, compose);
  const hash = hashOf(content);
  await ctx.write((tx) => {
    const { state, chair_id, secretary_id } = getMeeting(tx, meetingId);
    if (state !== 'closed') throw conflict('meeting_not_running', { state });
    const named = { chair: chair_id, secretary: secretary_id };
    if (chair_id === null || secretary_id === null) throw conflict('signers_unnamed');
    const signer = findSigner(tx, named[as]);
    if (!signer || signer.id !== person) throw forbidden('minutes_other_person');
    if (isAddress(signer.name))
      throw conflict('signer_without_name', {}, { extra: { needs: 'name', person_id: signer.id } });
    const last = listRows(tx, meetingId).at(-1);
    if (last?.signed_at != null) {
      // The page may show a correction that was dropped meanwhile.
      if (read !== null && read !== last.sha256) throw conflict('minutes_changed');
      if (signaturesOf(tx, last).some((one) => one.role === as && one.person_id === person)) return;
      throw conflict('minutes_signed');
    }
    const row = openDraft(tx, meeting, actor);
    // The contents were made before this transaction.
    const { version, texts } = content.facts;
    const isSame =
      chair_id === meeting.chair_id &&
      secretary_id === meeting.secretary_id &&
      row.version === version &&
      JSON.stringify(parseTexts(row.texts)) === JSON.stringify(texts);
    if (!isSame || (read !== null && read !== hash)) throw conflict('minutes_changed');
    const present = signaturesOf(tx, row);
    const own = present.find((one) => one.role === as);
    if (own?.sha256 === hash) return;
    if (own) tx.run(signature(own));
    for (const other of present) if (other !== own && other.sha256 !== hash) voidSignature(tx, other, actor);
    const signed = { role: as, person_id: signer.id, name: signer.name, sha256: hash, signed_at: actor.at };
    const { meeting_id } = row;
    tx.run(build.insertInto('minutes_signatures').values({ meeting_id, version, ...signed }));
    record(tx, row, 'meeting.minutes_signed', { as, sha256: hash }, actor);
    if (signaturesOf(tx, row).length < SIGNER_ROLES.length) return;
    const frozen = { content: JSON.stringify(content), sha256: hash, signed_at: actor.at };
    tx.run(versionOf('update', row).set(frozen));
  });
}

/** All signatures of a version, also those under former contents. */
export const signaturesOf = (reader: Reader, { meeting_id, version }: Pick<Row, 'meeting_id' | 'version'>) =>
  reader.all(
    build
      .selectFrom('minutes_signatures')
      .selectAll()
      .where('meeting_id', '=', meeting_id)
      .where('version', '=', version),
  );

type StoredSignature = Selectable<MinutesSignaturesTable>;

const signature = ({ meeting_id, version, role, sha256: hash }: StoredSignature) =>
  build.deleteFrom('minutes_signatures').where((is) => is.and({ meeting_id, version, role, sha256: hash }));

/** Stands in the place of somebody who was asked to sign, once their signature is void: they are asked again. */
export const SIGNED_BEFORE = '';

/** Removes a signature under former contents. */
export function voidSignature(tx: Tx, stale: StoredSignature, actor: Actor): void {
  if (tx.run(signature(stale)) === 0) return;
  tx.run(versionOf('update', stale).set({ [`${stale.role}_asked`]: SIGNED_BEFORE }));
  record(tx, stale, 'meeting.minutes_signature_void', { as: stale.role }, actor);
}

/** Begins a corrected version beside the signed one. @returns its number. @throws 404, 409 while there is a draft */
export function correctMinutes(
  ctx: Context,
  meetingId: string,
  { reason }: z.output<typeof CorrectInput>,
  actor: Actor,
): Promise<number> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    const last = listRows(tx, meetingId).at(-1);
    if (last?.signed_at == null) throw conflict('minutes_draft');
    const version = last.version + 1;
    const row = insertVersion(tx, meeting, { version, texts: parseTexts(last.texts), reason }, actor);
    record(tx, row, 'meeting.minutes_corrected', {}, actor, reason);
    return version;
  });
}

/**
 * Drops a correction that was begun, with its texts and a first signature under it: the signed version stands again.
 * @throws 404, 409 without a correction
 */
export function dropCorrection(ctx: Context, meetingId: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    getMeeting(tx, meetingId);
    const last = listRows(tx, meetingId).at(-1);
    if (last?.signed_at != null) throw conflict('minutes_signed');
    if (!last || last.version === 1) throw conflict('minutes_no_correction');
    record(
      tx,
      last,
      'meeting.minutes_correction_dropped',
      { signatures: signaturesOf(tx, last).length },
      actor,
    );
    const { meeting_id, version } = last;
    tx.run(build.deleteFrom('meeting_minutes').where((is) => is.and({ meeting_id, version })));
  });
}

function record(
  tx: Tx,
  { meeting_id, version }: Pick<Row, 'meeting_id' | 'version'>,
  action: string,
  metadata: Record<string, unknown>,
  actor: Actor,
  reason?: string,
): void {
  const personal = reason === undefined ? {} : { personal: { reason } };
  recordAudit(tx, actor, { action, metadata: { meeting: meeting_id, version, ...metadata }, ...personal });
}
