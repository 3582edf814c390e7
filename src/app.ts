import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import formbody from '@fastify/formbody';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import Fastify, {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { notFound } from '#kernel/http/errors.ts';
import { type Packed, packed, sendPacked } from '#kernel/http/packed.ts';
import { bannerOfTrials } from '#routes/voting/trial-banner.ts';
import { ASSET_FOLDERS, asset, pageBuild, TYPED_MODULES } from '#views/assets.ts';
import { joinedText } from '#views/joined-modules.ts';
import { JOINED_STYLESHEETS } from '#views/stylesheets.ts';
import { iconPicture, themeSheet } from '#views/theme.ts';
import { answerError, answerRefusal } from './answer-error.ts';
import { BACKUP_RULES } from './backup-rules.ts';
import { takesSubscribers } from './calendar/calendars.ts';
import { type CalendarContext, openCalendar } from './calendar/context.ts';
import { awaitFirstProgramme, checkFeed } from './calendar/feed/feed.ts';
import { listProgrammePages, listWorkspacePrograms } from './calendar/feed/programme.ts';
import type { WorkspacePart } from './content/display.ts';
import { findPubState } from './content/shifts.ts';
import { crossSiteGuard } from './kernel/access/guards.ts';
import { permissionGuard } from './kernel/access/permissions.ts';
import { readersOf } from './kernel/access/readers.ts';
import { logTrust } from './kernel/access/trust.ts';
import { type Answered, metrics } from './kernel/checks/metrics.ts';
import type { Context } from './kernel/context.ts';
import { type CachedResponse, cachedJson, commonHeaders, sendCached } from './kernel/http/cached-response.ts';
import { clientOf } from './kernel/http/client.ts';
import { closeConnectionsAtStop, lengthenQueue } from './kernel/http/closing.ts';
import { withErrors } from './kernel/http/error-schema.ts';
import type { AppError } from './kernel/http/errors.ts';
import { markFormBody } from './kernel/http/form.ts';
import { answerHead, sentMethod } from './kernel/http/head.ts';
import { health } from './kernel/http/health.ts';
import { type App, isForm } from './kernel/http/http.ts';
import { onceHooks, takeOnce } from './kernel/http/once.ts';
import { overload } from './kernel/http/overload.ts';
import { slowRefusals } from './kernel/http/slow-refusals.ts';
import { switchedOffGuard } from './kernel/http/switched-off.ts';
import { validatorCompiler } from './kernel/http/validation.ts';
import { newRandomId } from './kernel/ids.ts';
import { loggedPath } from './kernel/log.ts';
import { sendAfterChanges } from './kernel/mail/sender.ts';
import { siteOf } from './kernel/site.ts';
import { mailSorts } from './mails.ts';
import { checkProvider } from './people/oidc/check.ts';
import { OpenIdProvider } from './people/oidc/provider.ts';
import { SetUpCode } from './people/set-up.ts';
import { listScreenNames } from './pub/devices/screens.ts';
import { listShown } from './pub/devices/shown.ts';
import { listDaysAhead, listRosterTenders } from './pub/display/ahead.ts';
import { findPublicEvent } from './pub/display/announced.ts';
import { listWorkspaceEvents } from './pub/display/events.ts';
import { awaitFirstDisplay } from './pub/display/feeds.ts';
import { listDisplayedPages } from './pub/display/from-workspace.ts';
import { previewSlide } from './pub/display/preview.ts';
import { normalizeListenAddress } from './pub/plays/address.ts';
import { listAllChecks } from './pub/staff-room/checks.ts';
import { calendar } from './routes/calendar/index.ts';
import { content } from './routes/content/index.ts';
import { design } from './routes/design.ts';
import { meetingRoutes } from './routes/meetings/index.ts';
import { people } from './routes/people/index.ts';
import { CONTROLS_SOCKET } from './routes/pub/controls.ts';
import { pub } from './routes/pub/index.ts';
import { search } from './routes/search.ts';
import { voting } from './routes/voting/index.ts';
import { countFollowed } from './voting/elections/workspace-link.ts';
import { listOwnElections } from './voting/invitations/own-elections.ts';

/**
 * Builds the service: errors, headers, /health, /openapi.json, assets, and the domains. Does not listen yet.
 * @param calendarContext is shared with the jobs, if this process runs them
 * @param onMade is called before the first route is registered
 * @param create makes the Fastify instance
 */
export async function buildApp(
  ctx: Context,
  {
    calendarContext = openCalendar(ctx),
    setUpCode = new SetUpCode(ctx.now),
    onMade,
    create = Fastify,
  }: {
    calendarContext?: CalendarContext;
    setUpCode?: SetUpCode;
    onMade?: (app: App) => void;
    create?: typeof Fastify;
  } = {},
): Promise<App> {
  ctx.mailSorts = mailSorts(ctx);
  logTrust(ctx);
  const app = create({
    loggerInstance: oneLogger(ctx.log),
    // Fastify's own lines would contain whole URLs, and with them voting links.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRandomId,
    requestIdHeader: false,
    // Ignore Upgrade headers on other routes: RFC 9110 (7.8) answers them like a request without one.
    http: {
      shouldUpgradeCallback: ({ method, url }) =>
        method === 'GET' && url?.split('?', 1)[0] === CONTROLS_SOCKET,
    },
    requestTimeout: 30_000,
    bodyLimit: 1024 * 1024,
    // While stopping, requests on keep-alive connections are still answered; the answer closes the connection.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: (request) => {
      takeHead(request);
      return rewriteRequest(request);
    },
    // No plugin waits for anything outside this process.
    pluginTimeout: 0,
    // The id of a passkey has up to 1,023 bytes, in base64url.
    routerOptions: { maxParamLength: 1_400 },
    frameworkErrors: (error, request, reply) => {
      // Errors of the router, before any hook: a malformed or too long id cannot exist, so it is a 404.
      const unknown = ['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'].includes(error.code);
      reply.headers(commonHeaders(request.id));
      reply.raw.once('finish', () => logAnswer(request, reply));
      answerError(ctx, unknown ? notFound('not_found') : error, request, reply);
    },
  }) as unknown as App;
  app.setValidatorCompiler(validatorCompiler);
  // Tests check the shapes of answers; they are not validated again when they are sent.
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest('client', '');
  app.decorate('site', () => siteOf(ctx));
  app.decorate('banner', bannerOfTrials(ctx));
  app.decorate('readerOf', readersOf(ctx));
  const takeHead = answerHead(app);
  onMade?.(app);
  app.addHook('onRequest', (request, reply, done) => {
    request.client = clientOf(request, ctx.trustedPeer, ctx.config);
    reply.headers(commonHeaders(request.id));
    done();
  });
  const provider = new OpenIdProvider(ctx);
  sendAfterChanges(ctx);
  const listChecks = async () => [
    ...(await listAllChecks(ctx, pageBuild(ctx.version, app.site().version))),
    ...checkProvider(ctx, provider),
    checkFeed(calendarContext),
  ];
  const count = metrics(app, ctx, listChecks);
  const verbose = ctx.log.isLevelEnabled('info');
  const answered = (answer: Answered) => {
    count(answer);
    if (verbose) ctx.log.info(requestLine(answer), 'request');
  };
  const logAnswer = (request: FastifyRequest, reply: FastifyReply) => {
    const { id, url, routeOptions } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    answered({ id, method: sentMethod(request), url, route: routeOptions.url ?? 'none', status, ms });
  };
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    done();
  });
  app.setErrorHandler((error: FastifyError | AppError, request, reply) =>
    answerRefusal(ctx, error, request, reply),
  );
  app.setNotFoundHandler((request, reply) => answerError(ctx, notFound('not_found'), request, reply));
  app.addHook('onSend', slowRefusals(ctx));
  acceptBodies(app);
  closeConnectionsAtStop(app, ctx.house);
  lengthenQueue(app);

  app.addHook('onRoute', limitAnonymousBodies);
  overload(app, ctx);
  app.addHook('onRequest', crossSiteGuard(ctx));
  app.addHook('onRequest', switchedOffGuard(ctx));
  await app.register(formbody);
  app.addHook('preValidation', (request, _reply, done) => {
    if (isForm(request)) {
      markFormBody(request.body);
      request.entered = { ...(request.body as Record<string, unknown> | undefined) };
      takeOnce(request);
    }
    done();
  });
  onceHooks(app, ctx);
  await app.register(swagger, {
    openapi: {
      info: {
        title: 'Public House',
        description: 'Votes, screens and calendar of a members’ club.',
        version: ctx.version,
      },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(assets);

  app.get('/health', { config: { json: true, admission: 'always' } }, async (_request, reply) => {
    const answer = health(ctx, ctx.version);
    return reply
      .code(answer.status === 'ok' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(answer);
  });
  let description: CachedResponse | undefined;
  app.get('/openapi.json', { config: { json: true }, schema: { hide: true } }, async (request, reply) => {
    description ??= cachedJson(withErrors(app.swagger()));
    return sendCached(request, reply, description, 'no-cache');
  });
  await app.register(people, {
    ctx,
    setUpCode,
    provider,
    listOwnElections: (signedIn) => listOwnElections(ctx, signedIn),
  });
  await app.register(content, {
    ctx,
    provider,
    listChecks,
    backupRules: BACKUP_RULES,
    display: {
      listDaysAhead: (days) => listDaysAhead(ctx, days),
      listTenders: () => listRosterTenders(ctx),
      listScreenNames: () => listScreenNames(ctx),
      listShown: (kind, id) => (kind === 'announcement' ? listShown(ctx.db, id) : []),
      previewSlide: (kind, id, body) => previewSlide(ctx, kind, id, body),
      listWorkspaceEvents: () => [...listWorkspaceEvents(ctx), ...listWorkspacePrograms(ctx)],
      knowsHours: () => findPubState(ctx).configured,
      listWorkspacePages: () => listWorkspacePages(ctx),
      countFollowedElections: () => countFollowed(ctx.db, ctx.now()),
    },
  });
  await app.register(voting, { ctx });
  await app.register(meetingRoutes, { ctx });
  await app.register(search, { ctx });
  await app.register(design, { ctx });
  await app.register(pub, { ctx, takesSubscribers: () => takesSubscribers(ctx) });
  await app.register(calendar, { ctx: calendarContext, findPubEvent: (id) => findPublicEvent(ctx, id) });
  app.addHook('onReady', async () => {
    await Promise.all([awaitFirstDisplay(ctx), awaitFirstProgramme(ctx)]);
  });
  // A client without access does not learn which admin paths exist.
  await app.register(
    async (staff: App) => {
      staff.setNotFoundHandler({ preHandler: permissionGuard(ctx) }, () => {
        throw notFound('not_found');
      });
    },
    { prefix: '/api/admin' },
  );
  return app;
}

/** Lists the workspace pages on the screens and in the calendar; a page that is in both is listed once. */
function listWorkspacePages(ctx: Context): WorkspacePart[] | undefined {
  const [displayed, programme] = [listDisplayedPages(ctx), listProgrammePages(ctx)];
  if (!displayed || !programme) return undefined;
  const ids = new Set(displayed.map(({ id }) => id));
  return [...displayed, ...programme.filter(({ id }) => !ids.has(id))];
}

/** Makes all requests share this logger: Fastify would create a child for each, which nothing uses. */
function oneLogger(log: Logger): Logger {
  const one: Logger = Object.create(log, { child: { value: () => one } });
  return one;
}

function requestLine({ id, method, url, status, ms }: Answered) {
  return { id, method, url: loggedPath(url), status, ms: Math.round(ms * 10) / 10 };
}

/** Forms can only POST: ours name the intended method as `?_method=PATCH`. Forms with a file never do. */
function rewriteRequest(request: IncomingMessage): string {
  const url = normalizeListenAddress(request.url ?? '/');
  if (request.method !== 'POST') return url;
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return url;
  const [, method] = /[?&]_method=(PATCH|PUT|DELETE)\b/.exec(url) ?? [];
  if (method) request.method = method;
  return url;
}

/** The default limit of a body, for routes open to anybody. Pages of staff and members accept more. */
const ANONYMOUS_BODY = 64 * 1024;

const limitAnonymousBodies = (route: RouteOptions): void => {
  if (!/^\/(admin|api\/admin|me)(\/|$)/.test(route.url)) route.bodyLimit ??= ANONYMOUS_BODY;
};

/** Accepts JSON and forms; an empty body counts as none, even with a JSON content type. Anything else is a 415. */
function acceptBodies(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
}

/** The joined modules that were asked for last; anybody can ask for others than pages do, which must not stay. */
const JOINED_SCRIPTS = new Map<string, Packed | undefined>();
const JOINED_AT_MOST = 100;

function joinedScript(name: string): Packed | undefined {
  const known = JOINED_SCRIPTS.get(name);
  if (known) return known;
  const text = joinedText(name);
  const made = text === undefined ? undefined : packed(text);
  if (made) JOINED_SCRIPTS.set(name, made);
  const [oldest] = JOINED_SCRIPTS.keys();
  if (oldest !== undefined && JOINED_SCRIPTS.size > JOINED_AT_MOST) JOINED_SCRIPTS.delete(oldest);
  return made;
}

const FOR_EVER = 'public, max-age=31536000, immutable';

async function assets(app: App): Promise<void> {
  // At a meeting many browsers share one address: its limit must not refuse the style sheets of their pages.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, admission: 'uncounted' };
  });
  const fonts = ['fraunces', 'inter'].map((font) =>
    path.join(import.meta.dirname, `../node_modules/@fontsource/${font}/files`),
  );
  const caching = { immutable: true, maxAge: '365d', index: false, cacheControl: true } as const;
  await app.register(fastifyStatic, {
    ...caching,
    root: fonts,
    prefix: asset('fonts/'),
    decorateReply: false,
  });
  const headersOf = (type: string) => ({
    'cache-control': FOR_EVER,
    'content-type': `${type}; charset=utf-8`,
  });
  for (const [address, textOf] of TYPED_MODULES)
    app.get(address, async (_request, reply) => reply.headers(headersOf('text/javascript')).send(textOf()));
  for (const [address, textOf] of JOINED_STYLESHEETS) {
    const sheet = packed(textOf());
    app.get(address, (request, reply) => sendPacked(request, reply.headers(headersOf('text/css')), sheet));
  }
  app.get<{ Params: { name: string } }>(
    asset('joined/:name'),
    { schema: { hide: true } },
    async (request, reply) => {
      const script = joinedScript(request.params.name);
      if (script === undefined) throw notFound('not_found');
      return sendPacked(request, reply.headers(headersOf('text/javascript')), script);
    },
  );
  // Their addresses encode their content, so that each can be cached for ever.
  for (const [folder, type, make] of [
    ['theme', 'text/css', themeSheet],
    ['icon', 'image/svg+xml', iconPicture],
  ] as const)
    app.get<{ Params: { name: string } }>(
      `/assets/${folder}/:name`,
      { schema: { hide: true } },
      async (request, reply) => {
        const body = make(request.params.name);
        if (body === undefined) throw notFound('not_found');
        return reply
          .headers({ 'cache-control': FOR_EVER, 'content-type': `${type}; charset=utf-8` })
          .send(body);
      },
    );
  for (const folder of ASSET_FOLDERS)
    await app.register(fastifyStatic, { ...caching, ...folder, decorateReply: false });
}
