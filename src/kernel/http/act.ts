import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { Html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { actorOf } from './client.ts';
import { markFormBody } from './form.ts';
import { type App, type RefusedForm, wantsHtml } from './http.ts';
import type { Made } from './once.ts';
import { sendHtml } from './pages.ts';
import { REFUSALS } from './refused-form.ts';

/** A change that an officer makes, by a script or by a form: see `act`. */
export type Act<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType, Done> = (
  | { api: Address; form?: never; both?: never; next?: Next<P, B, Q, Done> }
  | ({ next: Next<P, B, Q, Done> } & (
      | { api?: Address; form: Address; both?: never }
      | { api?: never; form?: never; both: Address | Address[] }
    ))
) &
  Pick<FastifyContextConfig, 'permission' | 'sudo' | 'refusedStatuses'> &
  Pick<RouteShorthandOptions, 'bodyLimit' | 'preValidation' | 'preHandler'> & {
    /** For /openapi.json. */
    summary?: string;
    params?: P;
    query?: Q;
    /** The body as a script sends it. */
    body?: B;
    /** Turns the fields of a form into that body, before it is validated; the parameters are valid by then. */
    fromForm?: (
      fields: Record<string, unknown>,
      sent: Pick<Sent<P, B, Q>, 'params' | 'actor' | 'request'>,
    ) => unknown;
    /** Further configuration; if `form` has an address of its own, of that one alone. */
    config?: FastifyContextConfig;
    run: (sent: Sent<P, B, Q>) => Promise<Done | OtherAnswer>;
    /** The answer for a script, by default `{ ok: true }`. */
    json?: (done: Done, sent: Sent<P, B, Q>) => unknown;
    /** What it has made, if its answer holds secrets: that answer is kept in memory alone, see `once.ts`. */
    made?: (done: Done, sent: Sent<P, B, Q>) => Made;
    /** Renders the page of a refused form again: for every refusal, or only for those in `refusedStatuses`. */
    refused?: (
      request: FastifyRequest & { params: z.output<P> },
      form: RefusedForm,
      reply: FastifyReply,
    ) => Html | Promise<Html>;
  };

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A method and an address, as in test/routes.txt. */
type Address = `${Method} /${string}`;

/** Where a form is redirected to after the act; or a page, or the reply, if it is answered otherwise. */
type Next<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType, Done> =
  | string
  | ((done: Done, sent: Sent<P, B, Q>) => Answer | Promise<Answer>);

type Answer = string | Html | FastifyReply;

/** The valid input of a request, and the officer who sent it. */
export interface Sent<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType> {
  params: z.output<P>;
  body: z.output<B>;
  query: z.output<Q>;
  actor: Actor;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What `run` returns if scripts and forms get neither `json` nor `next`. */
export class OtherAnswer {
  readonly status: number;
  readonly json: unknown;
  /** The page, or the address to which a form is redirected. */
  readonly page: () => Html | string;

  constructor(status: number, json: unknown, page: () => Html | string) {
    this.status = status;
    this.json = json;
    this.page = page;
  }
}

/**
 * Registers an act at all its addresses: `api` for scripts and `form` for the form of a page, or `both` for one
 * address. A form is answered with `next`, at `api` and `both` only if its sender accepts HTML; all else with `json`.
 */
export function act<
  Done,
  P extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
>(app: App, ctx: Context, one: Act<P, B, Q, Done>): void {
  const { permission, sudo, refused, refusedStatuses = REFUSALS, bodyLimit } = one;
  const { summary, params, body, query: querystring, preValidation, preHandler } = one;
  const { json = () => ({ ok: true }), next } = one;

  const answerForm = async (done: Done, sent: Sent<P, B, Q>) => {
    const answer = typeof next === 'function' ? await next(done, sent) : next;
    return answer instanceof Html || typeof answer === 'string' ? sendPage(sent.reply, answer) : answer;
  };
  const fromForm = async (request: FastifyRequest) => {
    const known = (params ?? z.unknown()).safeParse(request.params);
    // Invalid parameters are refused when the request is validated.
    if (!request.entered || !known.success) return;
    const sent = { params: known.data as z.output<P>, actor: actorOf(request, ctx.now), request };
    request.body = await one.fromForm?.((request.body ?? {}) as Record<string, unknown>, sent);
    markFormBody(request.body);
  };
  const register = (address: Address, isFor: 'script' | 'form' | 'both') => {
    const [method = '', url = ''] = address.split(' ');
    app.route({
      method,
      url,
      ...(bodyLimit !== undefined && { bodyLimit }),
      config: {
        ...((isFor !== 'script' || !one.form) && one.config),
        ...(permission && { permission }),
        ...(sudo && { sudo }),
        ...(refused && { refused, refusedStatuses }),
      } as FastifyContextConfig,
      schema: {
        ...(isFor === 'form' && { hide: true }),
        ...(summary && { summary }),
        ...(params && { params }),
        ...(querystring && { querystring }),
        ...(body && { body }),
      },
      preValidation: [preValidation ?? [], one.fromForm && isFor !== 'script' ? fromForm : []].flat(),
      ...(preHandler && { preHandler }),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const sent: Sent<P, B, Q> = {
          params: request.params as z.output<P>,
          body: request.body as z.output<B>,
          query: request.query as z.output<Q>,
          actor: actorOf(request, ctx.now),
          request,
          reply,
        };
        const done = await one.run(sent);
        if (done instanceof OtherAnswer)
          return wantsHtml(request)
            ? sendPage(reply, done.page(), done.status)
            : reply.code(done.status).send(done.json);
        if (one.made) request.made = one.made(done, sent);
        const isForm = isFor === 'form' || wantsHtml(request);
        return isForm && next !== undefined ? answerForm(done, sent) : json(done, sent);
      },
    });
  };

  if (one.api) register(one.api, 'script');
  if (one.form) register(one.form, 'form');
  for (const address of [one.both ?? []].flat()) register(address, 'both');
}

const sendPage = (reply: FastifyReply, page: Html | string, status = 200): FastifyReply =>
  typeof page === 'string' ? reply.redirect(page, 303) : sendHtml(reply, page, status);

/** The query of a page that shows a notice after an act: `?done=saved`. */
export const doneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });

/** What the acts on one page share. */
interface PageActs<Params> extends Pick<FastifyContextConfig, 'permission'> {
  /** What the addresses of the acts begin with: one for both, or one for scripts and one for forms. */
  at: string | { api: string; form: string };
  params?: z.ZodType<Params>;
  /** The address of the page, to which a form leads back. */
  page: (params: Params) => string;
  /** Renders the page again with the form that was refused. */
  refused: NonNullable<Act<z.ZodType<Params>, z.ZodType, z.ZodType, unknown>['refused']>;
  /** What scripts get, by default `{ ok: true }`. */
  json?: (sent: Sent<z.ZodType<Params>, z.ZodType, z.ZodType>) => unknown;
  /** Sentences of notices to which no act here leads by `done`, by the key in the address. */
  said?: Readonly<Record<string, Words | string>>;
}

/** An act on a page: what it does, and what of it differs from the others. */
type PageAct<P extends z.ZodType, B extends z.ZodType, Q extends z.ZodType, Done> = Omit<
  Act<P, B, Q, Done>,
  'api' | 'form' | 'both' | 'summary' | 'next'
> & {
  /** The notice on the page afterwards: its key in the address, and its sentence. */
  done?: readonly [key: string, sentence: Words | string];
  next?: Next<P, B, Q, Done>;
};

/**
 * Acts on one page: `add` declares one, whose parameters, refusal, answer and way back are those of the page unless it
 * has its own. `said` returns the sentence of a notice.
 */
export function actsOn<Params>(app: App, ctx: Context, shared: PageActs<Params>) {
  const { at, params, page, refused, permission, json, said = {} } = shared;
  const sentences = new Map<string, Words | string>(Object.entries(said));
  const add = <
    B extends z.ZodType = z.ZodUnknown,
    Done = void,
    Q extends z.ZodType = z.ZodUnknown,
    P extends z.ZodType<Params> = z.ZodType<Params>,
  >(
    address: Method | Address,
    summary: string,
    { done, ...own }: PageAct<P, B, Q, Done>,
  ): void => {
    if (done) sentences.set(...done);
    const [method, rest = ''] = address.split(' ');
    const under = (start: string) => `${method} ${start}${rest}`;
    act(app, ctx, {
      ...(typeof at === 'string' ? { both: under(at) } : { api: under(at.api), form: under(at.form) }),
      summary,
      ...(params && { params }),
      refused,
      ...(permission && { permission }),
      ...(json && { json: (_: Done, sent: Sent<P, B, Q>) => json(sent) }),
      next: (_: Done, sent: Sent<P, B, Q>) => page(sent.params) + (done ? `?done=${done[0]}` : ''),
      ...own,
    } as Act<P, B, Q, Done>);
  };
  return { add, said: (key: string | undefined) => (key === undefined ? undefined : sentences.get(key)) };
}
