import { createSession, type Device } from '#kernel/access/sessions.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { isWithoutOwner } from '#kernel/db/owners.ts';
import { build } from '#kernel/db/queries.ts';
import { announceSettings, storeSettings } from '#kernel/db/settings.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { sameSecret, sha256 } from '#kernel/secrets.ts';
import { settingsOf } from '#kernel/settings/by-country.ts';
import { formatTypedCode, newTypedCode, parseTypedCode } from './codes.ts';
import { createPerson } from './persons.ts';

const CODE_LENGTH = 12;
/** Wrong codes allowed in total, until the service is restarted. */
const TRIES = 10;
const CODE_LIVES = DAY;

/** The code for creating the first owner. Only in memory: each start generates a new one. */
export class SetUpCode {
  readonly #hash: string;
  readonly #expiresAt: number;
  readonly #now: () => number;
  /** The code in its printed form. */
  readonly shown: string;
  #wrong = 0;

  constructor(now: () => number) {
    const code = newTypedCode(CODE_LENGTH);
    this.#hash = sha256(code);
    this.#now = now;
    this.#expiresAt = now() + CODE_LIVES;
    this.shown = formatTypedCode(code);
  }

  /** Checks a code, and counts wrong ones. */
  accepts(text: string): boolean {
    if (this.#wrong >= TRIES || this.#now() >= this.#expiresAt) return false;
    const code = parseTypedCode(text, CODE_LENGTH);
    if (code !== undefined && sameSecret(sha256(code), this.#hash)) return true;
    this.#wrong += 1;
    return false;
  }
}

/** Whether the club has an owner. Until then the first owner can be created in the browser. */
export const isSetUp = (ctx: Context): boolean => !isWithoutOwner(ctx.db, ctx.now());

/** The input of the set-up form. */
export interface SetUp {
  code: string;
  name: string;
  email: string;
  club_name: string | null;
  /** Both give the locale; without a country it is the language alone, without a language English is taken. */
  language: string | null;
  country: string | null;
  time_zone: string | null;
  base_url?: string | null | undefined;
}

/**
 * Creates the first owner and signs them in. Settings that the environment overrides are not stored.
 * @returns the session token. @throws 404 once an owner exists, 403 for a wrong code
 */
export async function setUp(
  ctx: Context,
  code: SetUpCode,
  { code: given, name, email, club_name, language, country, time_zone, base_url }: SetUp,
  device: Device,
  actor: Actor,
): Promise<string> {
  if (isSetUp(ctx)) throw notFound('not_found');
  if (!code.accepts(given)) throw forbidden('set_up_code_wrong');
  const token = await ctx.write((tx) => {
    // Of two simultaneous requests with the right code the second one finds an owner here.
    if (!isWithoutOwner(tx, actor.at)) throw notFound('not_found');
    const person_id = createPerson(tx, { name, email }, actor);
    const granted = { granted_by: 'set-up', granted_at: actor.at, until: null };
    tx.run(build.insertInto('person_roles').values({ person_id, role: 'owner', ...granted }));
    tx.run(build.replaceInto('club_setup').values({ id: 1, person_id, at: actor.at }));
    recordAudit(
      tx,
      { ...actor, by: `person:${person_id}` },
      { action: 'club.set_up', metadata: { person: person_id } },
    );
    const settings = {
      ...(club_name && { club_name }),
      ...((language || country) && { locale: [language ?? 'en', country].filter(Boolean).join('-') }),
      ...(time_zone && { time_zone }),
      ...(base_url && { base_url }),
      ...(country && settingsOf(country)),
    };
    storeSettings(ctx, tx, settings, { ...actor, by: `person:${person_id}` });
    const proof = { method: 'set-up', address_id: null, credential_at: actor.at } as const;
    return createSession(tx, { person_id, ...proof, stay: true, ...device }, actor.at);
  });
  announceSettings(ctx);
  return token;
}
