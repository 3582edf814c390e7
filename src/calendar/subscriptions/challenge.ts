import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { newRandomId } from '#kernel/ids.ts';
import { fetchUpstream } from '#kernel/upstream.ts';

const FIELD = 'turnstile_token';
/** What the provider says of our own settings, not of the person's answer. */
const OURS = ['missing-input-secret', 'invalid-input-secret', 'bad-request'];

/** The key of the widget on the form; null when no challenge is set up. */
export const siteKeyOf = (ctx: Context): string | null => ctx.config.CHALLENGE_SITE_KEY ?? null;

/**
 * Asks the provider whether this answer to the challenge was given by a person; without a secret nobody is asked.
 * @throws 400 when it is missing or refused, 500 when the provider cannot be asked: nobody passes unseen
 */
export async function passChallenge(ctx: Context, answer: string | undefined, client: string): Promise<void> {
  const secret = ctx.config.CHALLENGE_SECRET_KEY;
  if (!secret) return;
  if (!answer) throw badField(FIELD, 'the challenge was not answered');
  // The same key for both tries: an answer counts only once.
  const form = { secret, response: answer, remoteip: client, idempotency_key: newRandomId() };
  const verdict = (await askProvider(ctx, form)) ?? (await askProvider(ctx, form));
  if (verdict?.success) return;
  const codes = verdict?.['error-codes'] ?? [];
  if (!verdict || codes.some((code) => OURS.includes(code))) {
    ctx.log.error({ codes }, 'the challenge cannot be verified');
    throw new AppError(500, 'The challenge cannot be verified', {
      extra: { message: 'Nothing was kept. Try again in a moment.' },
    });
  }
  throw badField(FIELD, 'the challenge was not passed');
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
    ctx.log.warn({ reason: answer.reason }, 'the challenge provider does not answer');
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
