import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { servesOthers } from '#kernel/house-network.ts';
import type { Words } from '#kernel/language/words.ts';
import { fetchUpstream, hasContent, statusInWords } from '#kernel/upstream.ts';

const BYTES_AT_MOST = 10 * 1024 * 1024;
const FETCH_WITHIN = 10 * SECOND;

/** Fetches an image that a page links to; or says why it did not come. */
export async function fetchImage(
  ctx: Context,
  address: string,
  signal?: AbortSignal,
): Promise<Buffer | { reason: Words }> {
  const answer = await fetchUpstream(address, {
    timeoutMs: FETCH_WITHIN,
    maxBytes: BYTES_AT_MOST,
    // Outside production the workspace may be a test server on this machine, over http.
    publicOnly: servesOthers(ctx.config),
    headers: { 'user-agent': ctx.userAgent, accept: 'image/*' },
    signal,
  });
  if (!answer.ok) return answer;
  if (!hasContent(answer)) return { reason: statusInWords(answer) };
  return answer.body;
}
