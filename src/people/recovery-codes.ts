import { findRoles, listPeopleOf } from '#kernel/access/person-roles.ts';
import { createSession, type Device } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { sha256 } from '#kernel/secrets.ts';
import { formatTypedCode, newTypedCode, parseTypedCode } from './codes.ts';
import { codeRefused } from './sign-in.ts';

/** 24 characters are 120 random bits: an unkeyed hash of them cannot be guessed. */
const CODE_LENGTH = 24;
const CODES = 8;

/**
 * Creates recovery codes for a person with a role, for signing in without mail. Earlier codes become invalid.
 * @returns the codes, which are shown only once. @throws 403 for members without a role
 */
export async function makeRecoveryCodes(ctx: Context, personId: string, actor: Actor): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => newTypedCode(CODE_LENGTH));
  await ctx.write((tx) => {
    if (findRoles(tx, personId, actor.at).length === 0) throw forbidden('recovery_codes_need_role');
    tx.run(build.deleteFrom('recovery_codes').where('person_id', '=', personId));
    const rows = codes.map((code) => ({
      code_hash: sha256(code),
      person_id: personId,
      created_at: actor.at,
      used_at: null,
    }));
    tx.run(build.insertInto('recovery_codes').values(rows));
    recordAudit(tx, actor, { action: 'recovery_codes.made', metadata: { person: personId } });
  });
  return codes.map(formatTypedCode);
}

/** Counts the unused recovery codes of a person. */
export function countRecoveryCodes(reader: Reader, personId: string): number {
  const { left } = reader.first(
    build
      .selectFrom('recovery_codes')
      .select((of) => of.fn.countAll<number>().as('left'))
      .where('person_id', '=', personId)
      .where('used_at', 'is', null),
  )!;
  return left;
}

/**
 * Signs in by a recovery code, which works once.
 * @returns the session token. @throws 401 with the same message for every reason
 */
export async function signInByRecoveryCode(
  ctx: Context,
  { email, code: text }: { email: string; code: string },
  device: Device,
  actor: Actor,
): Promise<string> {
  const people = listPeopleOf(ctx.db, email).map(({ id }) => id);
  // The same work for an address that nobody has, so that the time of the answer tells nothing.
  return ctx.write((tx) => {
    const person_id = useRecoveryCode(tx, text, people, actor.at);
    const metadata = { method: 'recovery' };
    recordAudit(tx, { ...actor, by: `person:${person_id}` }, { action: 'session.opened', metadata });
    const proof = { method: 'recovery', address_id: null, credential_at: actor.at } as const;
    return createSession(tx, { person_id, ...proof, stay: false, ...device }, actor.at);
  });
}

/** Whether a text has the form of a recovery code. */
export const isRecoveryCode = (text: string): boolean => parseTypedCode(text, CODE_LENGTH) !== undefined;

/**
 * Uses up a recovery code of one of these people. @returns whose it was
 * @throws 401 with the same message for every reason
 */
export function useRecoveryCode(tx: Tx, text: string, people: readonly string[], at: number): string {
  const code = parseTypedCode(text, CODE_LENGTH);
  if (code === undefined) throw codeRefused();
  const own = build
    .selectFrom('recovery_codes')
    .select('person_id')
    .where('code_hash', '=', sha256(code))
    .where('person_id', 'in', people)
    .where('used_at', 'is', null);
  const person_id = tx.first(own)?.person_id;
  // Without a role the codes are not valid any more.
  if (person_id === undefined || findRoles(tx, person_id, at).length === 0) throw codeRefused();
  tx.run(build.updateTable('recovery_codes').set({ used_at: at }).where('code_hash', '=', sha256(code)));
  return person_id;
}
