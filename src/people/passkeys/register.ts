import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badRequest, conflict, notFound } from '#kernel/http/errors.ts';
import { clubName } from '#kernel/mail/message.ts';
import { listAddresses } from '#people/persons.ts';
import { CHALLENGE_LIVES, storeChallenge, takeChallenge } from './challenges.ts';
import { parseRegistration, type Transport } from './credentials.ts';
import { listPasskeys } from './passkeys.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';

const PASSKEYS_AT_MOST = 20;
/** Ed25519, ECDSA with P-256, RSA: the algorithms of current devices. */
const ALGORITHMS = [-8, -7, -257];

/** Imported on first use, because the import takes a quarter of a second and 25 MB. */
const library = () => import('@simplewebauthn/server');

/** @throws 404 if passkeys are not offered */
export function ensureOffered({ config }: Context): RelyingParty {
  const party = relyingParty(config);
  if (!party) throw notFound('passkeys_need_https');
  return party;
}

/**
 * Returns the options for a browser to create a passkey: discoverable, and with user verification.
 * @param browser the value of the browser's ask cookie
 * @throws 404 if passkeys are not offered, 409 if the person has the maximum number
 */
export async function registrationOptions(
  ctx: Context,
  person: { id: string; name: string },
  browser: string,
) {
  const { id: rpID } = ensureOffered(ctx);
  const own = listPasskeys(ctx.db, person.id);
  if (own.length >= PASSKEYS_AT_MOST) throw tooMany();
  const { webauthn_id } = ctx.db.first(
    build.selectFrom('persons').select('webauthn_id').where('id', '=', person.id),
  )!;
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: clubName(ctx.config),
    rpID,
    userID: new Uint8Array(webauthn_id),
    userName: listAddresses(ctx.db, person.id)[0]?.email ?? person.name,
    userDisplayName: person.name,
    attestationType: 'none',
    excludeCredentials: own.map(({ id, transports }) => ({
      id,
      transports: JSON.parse(transports) as Transport[],
    })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: CHALLENGE_LIVES,
  });
  await storeChallenge(ctx, options.challenge, { browser, kind: 'register', person_id: person.id });
  return options;
}

/**
 * Stores the passkey that a browser has created.
 * @param credential unvalidated, from the request
 * @throws 400 with the same message for every reason, 409 if it is stored already or there are too many
 */
export async function addPasskey(
  ctx: Context,
  person_id: string,
  { credential, name }: { credential: unknown; name: string },
  browser: string | undefined,
  actor: Actor,
): Promise<void> {
  const party = ensureOffered(ctx);
  const made = await verify(ctx, party, person_id, credential, browser);
  if (!made) throw badRequest('passkey_not_made');
  const { id, publicKey, counter, transports, backedUp } = made;
  const stored = await ctx.write((tx) => {
    if (listPasskeys(tx, person_id).length >= PASSKEYS_AT_MOST) throw tooMany();
    const row = { id, person_id, public_key: publicKey, counter, name, rp_id: party.id };
    const known = build.insertInto('passkeys').onConflict((on) => on.doNothing());
    const added = tx.run(
      known.values({
        ...row,
        transports: JSON.stringify(transports),
        backed_up: backedUp ? 1 : 0,
        created_at: actor.at,
        used_at: null,
      }),
    );
    if (added === 1) recordAudit(tx, actor, { action: 'passkey.added' });
    return added === 1;
  });
  if (!stored) throw conflict('passkey_known');
}

async function verify(
  ctx: Context,
  party: RelyingParty,
  person_id: string,
  given: unknown,
  browser: string | undefined,
) {
  const answer = parseRegistration(given);
  if (!answer || browser === undefined) return undefined;
  const { credential, challenge } = answer;
  if (!(await takeChallenge(ctx, challenge, { browser, kind: 'register', person_id }))) return undefined;
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return undefined;
  const { id, publicKey, counter } = registrationInfo.credential;
  const { transports } = credential.response;
  return { id, publicKey, counter, transports, backedUp: registrationInfo.credentialBackedUp };
}

const tooMany = () => conflict('too_many_passkeys', { max: PASSKEYS_AT_MOST });
