import { createSession } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { Device } from '#people/sign-in.ts';
import { CHALLENGE_LIVES, storeChallenge, takeChallenge } from './challenges.ts';
import { parseAssertion } from './credentials.ts';
import type { Passkey } from './passkeys.ts';
import { ensureOffered } from './register.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';

/** One refusal for whatever does not fit: an unknown passkey, a wrong signature, a removed person. */
export const passkeyRefused = () =>
  new AppError(401, 'This passkey does not fit. Try again, or sign in by mail.');

/**
 * What a browser needs to ask for a passkey of anybody. It names none: the device knows whom it has keys for.
 * @throws 404 where none are offered
 */
export async function signInOptions(ctx: Context, browser: string) {
  const { id: rpID } = ensureOffered(ctx);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    ...{ rpID, userVerification: 'required', timeout: CHALLENGE_LIVES },
  });
  await storeChallenge(ctx, options.challenge, { browser, kind: 'sign-in', person_id: null });
  return options;
}

/** An answer of a passkey, as it came in. */
export interface PasskeyAnswer {
  /** Of the request: anything. */
  credential: unknown;
  browser: string | undefined;
  actor: Actor;
  /** Told of the person whose passkey seems to have been copied. */
  onCopied: (personId: string) => void;
}

/** Signs in by passkey. @returns the token of the session. @throws 401 in one wording */
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
 * Checks the answer of a passkey, and runs `then` in the transaction that notes its use.
 * @throws 401 in one wording, also when `then` returns undefined
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
    ...{ expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id },
    // The library compares counters before it checks the signature: a forged answer would look like a copy.
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    requireUserVerification: true,
  }).catch(() => undefined);
  // A wrong signature is no error of the library's.
  if (!result?.verified) return undefined;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { id: passkey.id, counter: newCounter, backedUp: credentialBackedUp };
}

/** A passkey that works here, of somebody who was not erased. */
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
