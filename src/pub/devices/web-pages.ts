import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { t } from '#kernel/language/message.ts';
import { type Message, say } from '#kernel/messages/messages.ts';
import { fetchUpstream } from '#kernel/upstream.ts';
import { pagesOf } from './mixes.ts';

const ANSWER_WITHIN = 8 * SECOND;
const HOPS = 3;
const LOOKED_AT_EVERY = DAY;

/** Why a page of another host cannot be shown on a screen; undefined if it can. */
export async function findPageFault(ctx: Context, address: string): Promise<Message | undefined> {
  let url = new URL(address);
  if (ctx.config.BASE_URL !== undefined && url.origin === new URL(ctx.config.BASE_URL).origin)
    return say('page_of_service');
  for (let hop = 0; hop <= HOPS; hop += 1) {
    const answer = await fetchUpstream(url.href, {
      headers: { accept: 'text/html,*/*;q=0.5', 'user-agent': ctx.userAgent },
      timeoutMs: ANSWER_WITHIN,
      redirects: 0,
      headersOnly: true,
      publicOnly: servesOthers(ctx.config),
    });
    if (!answer.ok) return say('page_not_reached', { reason: answer.reason });
    const { status, headers } = answer;
    const location = headers.get('location');
    if (status >= 300 && status < 400 && location !== null) {
      const next = URL.parse(location, url.href);
      // The page of a screen may frame the hosts that were entered, and no others.
      if (next?.origin !== url.origin)
        return say('page_leads_elsewhere', { address: next?.href ?? location });
      url = next;
      continue;
    }
    if (status >= 400)
      return say('page_not_reached', { reason: t('settings.upstream.status', { status: String(status) }) });
    const header = forbiddenBy(headers, ctx.config.BASE_URL);
    return header === undefined ? undefined : say('page_forbids_frames', { header });
  }
  return say('page_not_reached', { reason: t('settings.upstream.redirects') });
}

/**
 * The header by which a page forbids that others show it; undefined if none does. As in browsers, frame-ancestors
 * replaces X-Frame-Options. @param own what the address of this service begins with, if it is known
 */
export function forbiddenBy(headers: Headers, own: string | undefined): string | undefined {
  const policies = (headers.get('content-security-policy') ?? '').split(',');
  const ancestors = policies.flatMap((policy) =>
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .filter(([name]) => name?.toLowerCase() === 'frame-ancestors'),
  );
  if (ancestors.length > 0) {
    const forbidding = ancestors.find(([, ...sources]) => !sources.some((source) => matches(source, own)));
    return forbidding && `Content-Security-Policy: ${forbidding.join(' ')}`;
  }
  const options = (headers.get('x-frame-options') ?? '')
    .split(',')
    .map((value) => value.trim().toUpperCase());
  const forbidding = options.find((value) => value === 'DENY' || value === 'SAMEORIGIN');
  return forbidding && `X-Frame-Options: ${forbidding}`;
}

/** Whether a source of frame-ancestors is this service. Of hosts with a port the port is compared too. */
function matches(source: string, own: string | undefined): boolean {
  if (source === '*') return true;
  if (own === undefined) return false;
  const { protocol, hostname, host } = new URL(own);
  const [, scheme, name = '', port] =
    /^(?:([a-z][a-z\d+.-]*):(?:\/\/|$))?([^:/]*)(:[\d*]+)?/i.exec(source) ?? [];
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== protocol) return false;
  if (name === '') return scheme !== undefined;
  if (port !== undefined && port !== ':*' && host !== `${hostname}${port}` && port !== ':443') return false;
  return name.startsWith('*.')
    ? hostname.endsWith(name.slice(1).toLowerCase())
    : hostname === name.toLowerCase();
}

/** What was found on the pages of other hosts when they were looked at last, by address. */
export const listPageFaults = (reader: Reader): ReadonlyMap<string, Message> =>
  new Map(
    reader
      .all(build.selectFrom('web_pages').select(['url', 'fault']).where('fault', 'is not', null))
      .map(({ url, fault }) => [url, JSON.parse(fault ?? '') as Message]),
  );

/** Codes that say that a page must not be shown. One that cannot be reached today may be tomorrow: screens skip it. */
const LASTING: readonly Message['code'][] = [
  'page_of_service',
  'page_forbids_frames',
  'page_leads_elsewhere',
];

/** Looks at the pages of other hosts again, each once a day; for a job. */
export async function lookAtPages(ctx: Context): Promise<void> {
  const screens = ctx.db.all(build.selectFrom('screens').select(['mix', 'times']));
  const shown = new Set(screens.flatMap(pagesOf));
  const known = new Map(
    ctx.db
      .all(build.selectFrom('web_pages').select(['url', 'looked_at']))
      .map((row) => [row.url, row.looked_at]),
  );
  const gone = [...known.keys()].filter((url) => !shown.has(url));
  if (gone.length > 0)
    await ctx.write((tx) => tx.run(build.deleteFrom('web_pages').where('url', 'in', gone)));
  const due = [...shown].filter((url) => ctx.now() - (known.get(url) ?? 0) >= LOOKED_AT_EVERY);
  for (const url of due) {
    const found = await findPageFault(ctx, url);
    const fault = found && LASTING.includes(found.code) ? JSON.stringify(found) : null;
    const row = { fault, looked_at: ctx.now() };
    const insert = build.insertInto('web_pages').values({ url, ...row });
    await ctx.write((tx) => tx.run(insert.onConflict((on) => on.column('url').doUpdateSet(row))));
  }
  if (due.length > 0) ctx.hub.publish('screens');
}
