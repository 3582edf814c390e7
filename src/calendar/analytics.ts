import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { fetchUpstream } from '#kernel/upstream.ts';

/** The analytics provider's answer to the test event; `body` is parsed if it is JSON, else text. */
export interface AnalyticsAnswer {
  ok: boolean;
  status: number;
  body: unknown;
}

/** Sends one test event. @throws 500 when no provider is set up, 502 when it cannot be reached */
export async function testAnalytics(ctx: Context): Promise<AnalyticsAnswer> {
  const { ANALYTICS_URL: url, ANALYTICS_API_KEY: key } = ctx.config;
  if (!url) throw new AppError(500, 'configuration_missing', { names: ['ANALYTICS_URL'] });
  const answer = await fetchUpstream(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': ctx.userAgent,
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ event: 'analytics_test', source: 'publichouse', ts: isoTime(ctx.now()) }),
    timeoutMs: 10 * SECOND,
    maxBytes: 64 * 1024,
  });
  if (!answer.ok) {
    throw new AppError(
      502,
      'analytics_unreachable',
      {},
      {
        extra: { ok: false, status: null, body: answer.reason.for(ENGLISH) },
      },
    );
  }
  const text = answer.body.toString('utf8');
  return { ok: answer.status >= 200 && answer.status < 300, status: answer.status, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
