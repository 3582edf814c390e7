import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { OidcFlowsTable } from '#kernel/db/schema.ts';
import { sha256 } from '#kernel/secrets.ts';
import { tidy } from '#people/short-lived.ts';
import type { Account, FlowSecrets } from './provider.ts';

/** How long a user may take at the provider, and afterwards to enter the mail address that is on the roll. */
const FLOW_LIVES = 10 * MINUTE;

export type Flow = Selectable<OidcFlowsTable>;

const randomText = () => randomBytes(32).toString('base64url');

export const newFlowSecrets = (): FlowSecrets => ({
  state: randomText(),
  nonce: randomText(),
  verifier: randomText(),
});

/** A request that is repeated after a confirmation. */
export interface Interrupted {
  /** A path of this service. */
  to: string;
  method: string;
  fields: Record<string, string[]>;
}

/** The purpose of a flow: to sign in, to link an account, or to confirm a session. */
interface FlowGoal {
  next?: string | null;
  stay?: boolean;
  linkFor?: string | null;
  confirms?: { session: string; interrupted: Interrupted };
}

/** Stores a new flow, bound to the browser that began it. */
export async function storeFlow(
  ctx: Context,
  browser: string,
  { state, nonce, verifier }: FlowSecrets,
  { next = null, stay = false, linkFor = null, confirms }: FlowGoal,
): Promise<void> {
  const now = ctx.now();
  const values = {
    state_hash: sha256(state),
    browser_hash: sha256(browser),
    nonce,
    verifier,
    next,
    stay: stay ? (1 as const) : (0 as const),
    link_person_id: linkFor,
    created_at: now,
    expires_at: now + FLOW_LIVES,
    used_at: null,
    issuer: null,
    subject: null,
    email: null,
    sudo_session: confirms?.session ?? null,
    kept: confirms ? JSON.stringify(confirms.interrupted) : null,
  };
  await ctx.write((tx) => {
    tx.run(build.insertInto('oidc_flows').values(values));
    tidy(tx, 'oidc_flows', now);
  });
}

/** Returns the flow of a state and marks it as used: only once, and only in the browser that began it. */
export function takeFlow(ctx: Context, state: string, browser: string): Promise<Flow | undefined> {
  const now = ctx.now();
  return ctx.write((tx) => {
    const taken = build
      .updateTable('oidc_flows')
      .set({ used_at: now })
      .where('state_hash', '=', sha256(state))
      .where('browser_hash', '=', sha256(browser))
      .where('used_at', 'is', null)
      .where('created_at', '<=', now)
      .where('expires_at', '>', now);
    if (tx.run(taken) === 0) return undefined;
    return tx.first(build.selectFrom('oidc_flows').selectAll().where('state_hash', '=', sha256(state)));
  });
}

/** Stores an account that is not linked yet, until its owner has entered the mail address that is on the roll. */
export function keepAccount(tx: Tx, { state_hash }: Flow, account: Account, now: number): void {
  const { issuer, subject, email = null } = account;
  const kept = { issuer, subject, email, expires_at: now + FLOW_LIVES };
  tx.run(build.updateTable('oidc_flows').set(kept).where('state_hash', '=', state_hash));
}

/** The last account with which this browser came back and which is not linked yet. */
export function findKeptAccount(
  ctx: Context,
  browser: string | undefined,
): (Flow & { issuer: string; subject: string }) | undefined {
  if (browser === undefined) return undefined;
  const now = ctx.now();
  const flow = ctx.db.first(
    build
      .selectFrom('oidc_flows')
      .selectAll()
      .where('browser_hash', '=', sha256(browser))
      .where('used_at', '<=', now)
      .where('expires_at', '>', now)
      .where('subject', 'is not', null)
      .orderBy('used_at', 'desc'),
  );
  if (!flow || flow.issuer === null || flow.subject === null) return undefined;
  return { ...flow, issuer: flow.issuer, subject: flow.subject };
}

/** The last request that was interrupted for a confirmation at the provider. */
export function findInterrupted(ctx: Context, session: string): Interrupted | undefined {
  const now = ctx.now();
  const flow = ctx.db.first(
    build
      .selectFrom('oidc_flows')
      .select('kept')
      .where('sudo_session', '=', session)
      .where('used_at', '<=', now)
      .where('expires_at', '>', now)
      .orderBy('used_at', 'desc'),
  );
  return flow?.kept ? JSON.parse(flow.kept) : undefined;
}

/** Deletes a finished flow. */
export const deleteFlow = (tx: Tx, { state_hash }: Flow): number =>
  tx.run(build.deleteFrom('oidc_flows').where('state_hash', '=', state_hash));
