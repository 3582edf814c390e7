import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { newRandomId } from '#kernel/ids.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { fetchUpstream } from '#kernel/upstream.ts';

const FIELD = 'turnstile_token';
/** The provider's error codes about our own settings, not about the person's answer. */
const OURS = ['missing-input-secret', 'invalid-input-secret', 'bad-request'];

/** The key of the widget on the form; null when no challenge is set up. */
export const siteKeyOf = (ctx: Context): string | null => ctx.config.CHALLENGE_SITE_KEY ?? null;

/**
 * Asks the provider whether a person answered the challenge; without a secret key nothing is checked.
 * @throws 400 when the answer is missing or refused, 500 when the provider cannot be asked: nobody passes unchecked
 */
export async function passChallenge(ctx: Context, answer: string | undefined, client: string): Promise<void> {
  const secret = ctx.config.CHALLENGE_SECRET_KEY;
  if (!secret) return;
  if (!answer) throw badField(FIELD, 'challenge_unanswered');
  // Both tries have the same key, because an answer can be verified only once.
  const form = { secret, response: answer, remoteip: client, idempotency_key: newRandomId() };
  const verdict = (await askProvider(ctx, form)) ?? (await askProvider(ctx, form));
  if (verdict?.success) return;
  const codes = verdict?.['error-codes'] ?? [];
  if (!verdict || codes.some((code) => OURS.includes(code))) {
    ctx.log.error({ codes }, 'the challenge cannot be verified');
    throw new AppError(500, 'challenge_unverified');
  }
  throw badField(FIELD, 'challenge_failed');
}

async function askProvider(
  ctx: Context,
  form: Record<string, string>,
): Promise<z.output<typeof Verdict> | undefined> {
  const answer = await fetchUpstream(ctx.config.CHALLENGE_VERIFY_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': ctx.userAgent },
    body: new URLSearchParams(form).toString(),
    timeoutMs: 4 * SECOND,
    maxBytes: 64 * 1024,
  });
  if (!answer.ok) {
    ctx.log.warn({ reason: answer.reason.for(ENGLISH) }, 'the challenge provider does not answer');
    return undefined;
  }
  const { data } = Verdict.safeParse(jsonOf(answer.body));
  if (!data) ctx.log.warn({ status: answer.status }, 'the challenge provider answers nonsense');
  return data?.['error-codes'].includes('internal-error') ? undefined : data;
}

const Verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
