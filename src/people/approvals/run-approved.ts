import { randomBytes } from 'node:crypto';
import { APPROVED_HEADER } from '#kernel/access/identity.ts';
import type { Context } from '#kernel/context.ts';
import type { ApprovalsTable } from '#kernel/db/schema.ts';
import type { App } from '#kernel/http/http.ts';
import { requestOf } from './approvals.ts';

/** The outcome of an act. */
export interface ActResult {
  status: number;
  /** Why it was refused. */
  error?: string;
  /** What it answered, if only this answer shows it: new voting codes. */
  answer?: unknown;
  page?: string;
}

/**
 * Runs a confirmed act as it was requested: the same request, as the person who asked, with their current permissions.
 * The token that marks the request as approved is valid for this request only and never leaves the process.
 */
export async function runApproved(
  ctx: Context,
  app: App,
  act: ApprovalsTable,
  decider: string,
  asPage: boolean,
): Promise<ActResult> {
  const shownOnce = /\/(tokens|packs|sign-in-link)$/.test(act.path ?? act.url);
  const token = randomBytes(32).toString('base64url');
  ctx.approved.set(token, { asker: act.asked_by.replace('person:', ''), decider });
  try {
    const fields = requestOf(ctx, act) as Record<string, unknown> | null;
    const answer = await app.inject({
      method: act.method as 'POST',
      url: act.url,
      headers: {
        [APPROVED_HEADER]: token,
        accept: asPage && shownOnce ? 'text/html' : 'application/json',
        host: 'approved.invalid',
        'content-type': act.is_form === 1 ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      ...(fields !== null && { payload: act.is_form === 1 ? formOf(fields) : fields }),
    });
    if (answer.statusCode < 400 && shownOnce)
      return { status: answer.statusCode, ...(asPage ? { page: answer.body } : { answer: answer.json() }) };
    if (answer.statusCode < 400) return { status: answer.statusCode };
    const { error, message } = answer.json();
    return { status: answer.statusCode, error: String(message ?? error) };
  } finally {
    ctx.approved.delete(token);
  }
}

function formOf(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}
