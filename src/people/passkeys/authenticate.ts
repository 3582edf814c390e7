import { createSession, type Device } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { CHALLENGE_LIVES, storeChallenge, takeChallenge } from './challenges.ts';
import { parseAssertion } from './credentials.ts';
import type { Passkey } from './passkeys.ts';
import { ensureOffered } from './register.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';

/** The same refusal for every reason: an unknown passkey, a wrong signature, an erased person. */
export const passkeyRefused = () => new AppError(401, 'passkey_refused');

/**
 * Returns the options for a browser to ask for a passkey. They list no passkey: the device offers those that it has.
 * @throws 404 if passkeys are not offered
 */
export async function signInOptions(ctx: Context, browser: string) {
  const { id: rpID } = ensureOffered(ctx);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    timeout: CHALLENGE_LIVES,
  });
  await storeChallenge(ctx, options.challenge, { browser, kind: 'sign-in', person_id: null });
  return options;
}

/** A passkey response, not verified yet. */
export interface PasskeyAnswer {
  /** Unvalidated, from the request. */
  credential: unknown;
  browser: string | undefined;
  actor: Actor;
  /** Called with the id of a person whose passkey seems to have been copied. */
  onCopied: (personId: string) => void;
}

/** Signs in by passkey. @returns the session token. @throws 401 with the same message for every reason */
export async function signInByPasskey(
  ctx: Context,
  answer: PasskeyAnswer,
  { stay, device }: { stay: boolean; device: Device },
): Promise<string> {
  return usePasskey(ctx, answer, (tx, { id, person_id, created_at }) => {
    const { actor } = answer;
    const proof = { method: 'passkey', address_id: null, passkey_id: id, credential_at: created_at } as const;
    const metadata = { method: 'passkey' };
    recordAudit(tx, { ...actor, by: `person:${person_id}` }, { action: 'session.opened', metadata });
    return createSession(tx, { person_id, ...proof, stay, ...device }, actor.at);
  });
}

/**
 * Verifies a passkey response, and runs `then` in the transaction that stores the use of the passkey.
 * @throws 401 with the same message for every reason, also when `then` returns undefined
 */
export async function usePasskey<T>(
  ctx: Context,
  answer: PasskeyAnswer,
  then: (tx: Tx, passkey: Passkey) => T | undefined,
): Promise<T> {
  const party = relyingParty(ctx.config);
  const verified = party && (await verify(ctx, party, answer));
  if (!verified) throw passkeyRefused();
  const { id, counter, backedUp } = verified;
  const { at } = answer.actor;
  const done = await ctx.write((tx) => {
    const passkey = findLive(tx, id, party);
    if (!passkey) return undefined;
    if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
      const by = `person:${passkey.person_id}`;
      recordAudit(tx, { ...answer.actor, by }, { action: 'passkey.counter_went_back' });
      return { copiedOf: passkey.person_id };
    }
    const use = { counter, used_at: at, backed_up: backedUp ? 1 : 0 } as const;
    tx.run(build.updateTable('passkeys').set(use).where('id', '=', id));
    return { result: then(tx, passkey) };
  });
  if (done?.copiedOf !== undefined) answer.onCopied(done.copiedOf);
  if (done?.result === undefined) throw passkeyRefused();
  return done.result;
}

async function verify(ctx: Context, party: RelyingParty, { credential: given, browser }: PasskeyAnswer) {
  const answer = parseAssertion(given);
  if (!answer || browser === undefined) return undefined;
  const { credential, challenge } = answer;
  if (!(await takeChallenge(ctx, challenge, { browser, kind: 'sign-in', person_id: null }))) return undefined;
  const passkey = findLive(ctx.db, credential.id, party);
  if (!passkey) return undefined;
  if (credential.response.userHandle !== Buffer.from(passkey.webauthn_id).toString('base64url'))
    return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const result = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    // 0 skips the library's counter check: it precedes the signature check, so a forgery would look like a copy.
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    requireUserVerification: true,
  }).catch(() => undefined);
  // The library does not throw for a wrong signature.
  if (!result?.verified) return undefined;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { id: passkey.id, counter: newCounter, backedUp: credentialBackedUp };
}

/** Finds a passkey for this host of a person who was not erased. */
function findLive(reader: Reader, id: string, party: RelyingParty) {
  return reader.first(
    build
      .selectFrom('passkeys')
      .innerJoin('persons', 'persons.id', 'person_id')
      .selectAll('passkeys')
      .select('webauthn_id')
      .where('passkeys.id', '=', id)
      .where('rp_id', '=', party.id)
      .where('erased_at', 'is', null),
  );
}
