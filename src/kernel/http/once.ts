import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { kept } from '#kernel/cache.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { inEnglish, keepText, readText } from '#kernel/language/kept-text.ts';
import type { Words } from '#kernel/language/words.ts';
import { conflict } from './errors.ts';
import { type App, header, wantsHtml } from './http.ts';

// "Once is once": a form of officers and staff carries a random id. The second request with this id and the same fields
// gets the answer of the first one, for ten minutes, and nothing is done twice. Not found by it: a form that was filled
// in otherwise meanwhile is another request.

declare module 'fastify' {
  interface FastifyRequest {
    /** The random id of the form, or of the `Idempotency-Key` header; see `takeOnce`. */
    once?: string | undefined;
    /** Ends the claim of this request, see `onceHooks`. */
    onceClaim?: ((answer: Answer | undefined) => Promise<void>) | undefined;
    /**
     * What this request has made, if its answer holds secrets: the answer is kept in memory alone, and whoever repeats
     * the request after a restart is told this instead.
     */
    made?: Made;
  }
  interface FastifyContextConfig {
    /** Whether a repeated request is answered as the first one: by default every change by officers and staff. */
    once?: boolean;
  }
}

/** What a request has made, in words, and where it is. */
export interface Made {
  /** A sentence: `5 voting codes for “Budget” were made`. */
  what: Words | string;
  /** The address of the page that shows it. */
  page: string;
  /** The form that deletes it unused. */
  remove?: { action: string; fields: Record<string, string>; label: Words | string };
}

/** What was made, told after a restart: in English in JSON. */
export class ToldMade {
  readonly made: Made;

  /** @param stored what `keepMade` has made of it */
  constructor(stored: string) {
    const { what, page, remove } = JSON.parse(stored);
    const said = remove && { ...remove, label: readText(remove.label) };
    this.made = { what: readText(what), page, ...(said && { remove: said }) };
  }

  toJSON() {
    const { what, remove, ...made } = this.made;
    const said = remove && { ...remove, label: inEnglish(remove.label) };
    return { what: inEnglish(what), ...made, ...(said && { remove: said }) };
  }
}

const keepMade = ({ what, page, remove }: Made): string =>
  JSON.stringify({
    what: keepText(what),
    page,
    ...(remove && { remove: { ...remove, label: keepText(remove.label) } }),
  });

interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Text, or bytes in base64. */
  body: string;
  isBytes: boolean;
}

/** How long a request is remembered. */
const REMEMBERED = 10 * MINUTE;
/** All answers in memory, in characters. */
const IN_MEMORY = 16 * 1024 * 1024;
/** A longer answer is kept in memory alone. */
const STORED_AT_MOST = 512 * 1024;

const ANSWERS = kept<Promise<Answer | undefined>>({
  age: REMEMBERED,
  atMost: IN_MEMORY,
  size: (answer) => answer?.body.length ?? 0,
});

const FIELD = 'once';
const ID = /^[\w-]{16,64}$/;

/** Takes the id out of the fields of a form, which then are as if it had none. */
export function takeOnce(request: FastifyRequest): void {
  for (const fields of [request.entered, request.body]) {
    if (typeof fields !== 'object' || fields === null) continue;
    const id = [(fields as Record<string, unknown>)[FIELD]].flat().at(-1);
    if (typeof id === 'string' && ID.test(id)) request.once = id;
    delete (fields as Record<string, unknown>)[FIELD];
  }
}

/** Gives each form of a page of officers and staff that is sent by POST its id: the same one for the whole page. */
export function withOnce(request: FastifyRequest, page: string): string {
  const { config, url = '' } = request.routeOptions;
  if (!isOfStaff(url) && config.once !== true) return page;
  const input = `<input type="hidden" name="${FIELD}" value="${randomBytes(16).toString('hex')}">`;
  // Before a button: as the first or last element of a form it would take part in the layout.
  return page.replaceAll(/<form\b[^>]*\smethod="post"[^>]*>[\s\S]*?<\/form>/g, (form) =>
    // The page that asks for a fresh proof keeps the id of the form that it interrupted.
    form.includes(`name="${FIELD}"`) ? form : form.replace(/<button\b|<\/form>/, (before) => input + before),
  );
}

/** Addresses that change nothing: what they show must be of now. */
const LOOKS = /\/(check|edit|preview|print|csv|slips|test)$/;

const isOfStaff = (url: string): boolean => /^\/(api\/)?admin(\/|$)/.test(url);

/** Registers the hooks of this mechanism. Call it before the routes. */
export function onceHooks(app: App, ctx: Context): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const once = isOfStaff(route.url) && !LOOKS.test(route.url) && ![route.method].flat().includes('GET');
    route.config = { once, ...route.config };
  });
  // With callbacks, because most requests have no claim: three promises would be as dear as all other hooks together.
  app.addHook('preHandler', (request, reply, done) => {
    const key = keyOf(request);
    if (key === undefined) return done();
    claimOrReplay(ctx, request, reply, key).then((isAnswered) => isAnswered || done(), done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.onceClaim) return done(null, payload);
    settleClaim(request, reply, payload).then((sent) => done(null, sent), done);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.onceClaim) return done();
    request.onceClaim(undefined).then(() => done(), done);
  });
}

/** @returns whether the request was answered as the first one */
async function claimOrReplay(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<boolean> {
  const answer = await claim(ctx, request, key);
  if (answer) replay(reply, answer);
  return answer !== undefined;
}

/** Ends the claim of a request by its answer. @returns the answer, read whole if it was a stream */
async function settleClaim(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const end = request.onceClaim;
  delete request.onceClaim;
  // A refused request has done nothing.
  if (reply.statusCode >= 400) {
    await end?.(undefined);
    return payload;
  }
  const sent = payload instanceof Readable ? Buffer.concat(await payload.toArray()) : payload;
  await end?.(answerOf(reply, sent));
  return sent;
}

/** What identifies a request: who sent it, its id, and what it asks for. */
function keyOf(request: FastifyRequest): string | undefined {
  const { once } = request.routeOptions.config;
  const id = request.once ?? header(request, 'idempotency-key');
  // A confirmed act was remembered when it was asked for: what it answers now is another answer.
  const { method, url, entered, upload, actor = request.apiKey ? 'key' : '' } = request;
  if (!id || !once || request.approvedBy !== undefined || entered?.dry_run === 'true') return undefined;
  const file = upload && createHash('sha256').update(upload).digest('hex');
  // A fresh proof in between adds fields of its own.
  const fields = Object.entries(entered ?? request.body ?? {}).filter(([name]) => !name.startsWith('sudo_'));
  // A page's answer is of no use to the script that sends the same fields later.
  const asked = [actor, id, method, url, fields, file ?? null, wantsHtml(request)];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/**
 * Claims a request for the caller, which then does what it asks for; of several at once the first one.
 * @returns the answer of the first one. @throws 409 if that is lost
 */
async function claim(ctx: Context, request: FastifyRequest, key: string): Promise<Answer | undefined> {
  const own = Promise.withResolvers<Answer | undefined>();
  for (;;) {
    const shared = ctx.cache.get(ANSWERS, key, () => own.promise);
    if (shared === own.promise) break;
    const answer = await shared;
    if (answer) return answer;
  }
  try {
    const stored = await ctx.write((tx) => claimRow(ctx, tx, key));
    if (stored) {
      if (stored.answer === null) throw lost(stored.made);
      const answer = JSON.parse(stored.answer) as Answer;
      own.resolve(answer);
      return answer;
    }
  } catch (error) {
    own.resolve(undefined);
    throw error;
  }
  request.onceClaim = async (answer) => {
    try {
      await ctx.write((tx) => settle(tx, key, request, answer));
    } catch (err) {
      // What was asked for is done, or refused: its answer must not fail for this.
      ctx.log.error({ err }, 'the answer of a form is remembered in memory alone');
    }
    own.resolve(answer);
  };
  return undefined;
}

/** @returns what is known of an earlier request; if nothing is, this one is claimed */
function claimRow({ now }: Context, tx: Tx, key: string) {
  tx.run(build.deleteFrom('once_answers').where('at', '<=', now() - REMEMBERED));
  const known = tx.first(build.selectFrom('once_answers').selectAll().where('key', '=', key));
  if (!known) tx.run(build.insertInto('once_answers').values({ key, at: now(), answer: null, made: null }));
  return known;
}

function settle(tx: Tx, key: string, request: FastifyRequest, answer: Answer | undefined): void {
  const own = build.updateTable('once_answers').where('key', '=', key);
  if (!answer) {
    tx.run(build.deleteFrom('once_answers').where('key', '=', key));
    return;
  }
  const { made } = request;
  const isStored = !made && answer.body.length <= STORED_AT_MOST;
  tx.run(own.set({ answer: isStored ? JSON.stringify(answer) : null, made: made ? keepMade(made) : null }));
}

function lost(stored: string | null) {
  if (stored === null) return conflict('once_not_known');
  return conflict(
    'once_made',
    { what: readText(JSON.parse(stored).what) },
    { extra: { made: new ToldMade(stored) } },
  );
}

const NOT_REPEATED = new Set(['set-cookie', 'x-request-id', 'date', 'content-length', 'retry-after']);

function answerOf(reply: FastifyReply, payload: unknown): Answer {
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => !NOT_REPEATED.has(name));
  const isBytes = payload instanceof Uint8Array;
  const body = isBytes ? Buffer.from(payload).toString('base64') : String(payload ?? '');
  const texts = headers.map(([name, value]) => [name, String(value)]);
  return { status: reply.statusCode, headers: Object.fromEntries(texts), body, isBytes };
}

function replay(reply: FastifyReply, { status, headers, body, isBytes }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(isBytes ? Buffer.from(body, 'base64') : body);
}

/** Forgets requests after their time; called by a job. */
export async function forgetAnswers(ctx: Context): Promise<void> {
  const old = build.deleteFrom('once_answers').where('at', '<=', ctx.now() - REMEMBERED);
  const any = build.selectFrom('once_answers').select('key').limit(1);
  if (ctx.db.first(any)) await ctx.write((tx) => tx.run(old));
}
