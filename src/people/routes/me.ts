import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ensureOwnWrite, leadsToSignIn, signInFirst } from '#kernel/access/guards.ts';
import { permissionsOf } from '#kernel/access/roles.ts';
import {
  endSessions,
  findSignedIn,
  listSessions,
  SESSION_COOKIE,
  type Session,
  type SignedIn,
  setSessionCookie,
} from '#kernel/access/sessions.ts';
import { ensureSudo, sudoTarget } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { setCookie } from '#kernel/http/cookies.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatShort, formatWhen } from '#kernel/local-time.ts';
import { type ListOwnElections, ownElectionJson } from '#people/own-elections.ts';
import { listAddresses } from '#people/persons.ts';
import { countRecoveryCodes, makeRecoveryCodes } from '#people/recovery-codes.ts';
import { mailCode } from '#people/routes/mail-code.ts';
import { limitAsks } from '#people/sign-in-limits.ts';
import { askForSudoCode, confirmByCode } from '#people/sudo.ts';
import { devicesPage, mePage, recoveryCodesPage } from '#views/people/me.ts';
import { sudoPage } from '#views/people/sudo.ts';

const params = z.object({ id: z.string().max(64) });
const meQuery = z.object({ mailed: z.string().max(5).optional().catch(undefined) });
const typed = z.string().max(64, 'must have at most 64 characters').optional();
/** `code` in JSON; a form that was interrupted may have a field of that name itself. */
const SudoBody = z.object({ code: typed, sudo_code: typed });

/** What somebody who is signed in sees of themselves, and ends. */
export function me(
  app: App,
  { ctx, listOwnElections }: { ctx: Context; listOwnElections: ListOwnElections },
): void {
  app.get('/me', { schema: { querystring: meQuery } }, async (request, reply) => {
    const signedIn = whoIsHere(request, reply);
    if (!signedIn) return reply;
    const { person, roles, session } = signedIn;
    const permissions = [...permissionsOf(roles)];
    reply.header('vary', 'Accept');
    const addresses = listAddresses(ctx.db, person.id);
    const recoveryCodes = roles.length > 0 ? countRecoveryCodes(ctx.db, person.id) : null;
    const own = listOwnElections(signedIn);
    if (wantsHtml(request)) {
      const when = (iso: string) => formatWhen(Date.parse(iso), ctx.config.TIME_ZONE);
      const elections = own.map((one) => ({
        ...one,
        opens: when(one.opens_at),
        closes: when(one.closes_at),
      }));
      const { mailed } = request.query;
      return sendHtml(
        reply,
        mePage({ person, roles, permissions, addresses, recoveryCodes, elections, mailed: mailed === '1' }),
      );
    }
    const elections = own.map(ownElectionJson);
    return {
      person: { ...person, addresses },
      ...{ roles, permissions, session: sessionJson(session, session), elections },
    };
  });

  app.get('/me/devices', async (request, reply) => {
    const signedIn = whoIsHere(request, reply);
    if (!signedIn) return reply;
    const sessions = listSessions(ctx, signedIn.person.id);
    if (!wantsHtml(request))
      return { devices: sessions.map((session) => sessionJson(session, signedIn.session)) };
    const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
    const devices = sessions.map((session) => ({
      ...session,
      current: session.id === signedIn.session.id,
      since: when(session.created_at),
      seen: when(session.seen_at),
    }));
    return sendHtml(reply, devicesPage({ devices }));
  });

  app.delete('/me/devices/:id', { schema: { params } }, async (request, reply) => {
    const signedIn = whoWrites(request);
    const { id } = request.params;
    const ended = await end(request, signedIn, { id });
    if (ended === 0) throw notFound('Session not found');
    if (id === signedIn.session.id) forgetCookie(request, reply);
    return done(request, reply, { ok: true });
  });

  app.post('/me/devices/end-others', async (request, reply) => {
    const signedIn = whoWrites(request);
    const ended = await end(request, signedIn, { except: signedIn.session.id });
    return done(request, reply, { ok: true, ended });
  });

  app.post('/me/sudo/code', async (request, reply) => {
    const { session } = whoWrites(request);
    limitAsks(ctx, request.client);
    const asked = await askForSudoCode(ctx, session);
    if (asked) mailCode(ctx, request, asked, { forSignIn: false });
    if (!wantsHtml(request)) return { ok: true };
    return sendHtml(reply, sudoPage({ ...sudoTarget(request), sent: asked?.email ?? '' }));
  });

  app.post('/me/sudo', { schema: { body: SudoBody } }, async (request, reply) => {
    const signedIn = whoWrites(request);
    const { code, sudo_code } = request.body;
    const actor = { ...actorOf(request, ctx.now), by: `person:${signedIn.person.id}` };
    const isPage = wantsHtml(request);
    try {
      const token = await confirmByCode(ctx, signedIn.session, code ?? sudo_code ?? '', actor);
      setSessionCookie(ctx, request, reply, token, signedIn.session.stay === 1);
    } catch (error) {
      if (!isPage || !(error instanceof AppError) || error.statusCode !== 401) throw error;
      return sendHtml(reply, sudoPage({ ...sudoTarget(request), wrong: true }), 401);
    }
    if (!isPage) return { ok: true };
    // 307 keeps method and fields: what was interrupted goes on by itself.
    const { to, method } = sudoTarget(request);
    return reply.redirect(to, method === 'GET' ? 303 : 307);
  });

  app.post('/me/recovery-codes', async (request, reply) => {
    const { person } = whoWrites(request);
    ensureSudo(ctx, request);
    const actor = { ...actorOf(request, ctx.now), by: `person:${person.id}` };
    const codes = await makeRecoveryCodes(ctx, person.id, actor);
    return wantsHtml(request) ? sendHtml(reply, recoveryCodesPage({ codes })) : { codes };
  });

  app.post('/sign-out', async (request, reply) => {
    const signedIn = findSignedIn(ctx, request);
    if (signedIn) {
      ensureOwnWrite(ctx, request);
      await end(request, signedIn, { id: signedIn.session.id });
    }
    forgetCookie(request, reply);
    reply.header('clear-site-data', '"cache"');
    return wantsHtml(request) ? reply.redirect('/', 303) : { ok: true };
  });

  /** Who is here; a browser without anybody is led to the sign-in page. @throws 401 */
  function whoIsHere(request: FastifyRequest, reply: FastifyReply): SignedIn | undefined {
    const signedIn = findSignedIn(ctx, request);
    if (signedIn) return signedIn;
    if (!leadsToSignIn(request)) throw new AppError(401, 'Authentication required');
    signInFirst(request, reply);
    return undefined;
  }

  function whoWrites(request: FastifyRequest): SignedIn {
    const signedIn = findSignedIn(ctx, request);
    if (!signedIn) throw new AppError(401, 'Authentication required');
    ensureOwnWrite(ctx, request);
    request.session = signedIn.session;
    return signedIn;
  }

  function end(
    request: FastifyRequest,
    { person }: SignedIn,
    which: { id?: string; except?: string },
  ): Promise<number> {
    const actor = { ...actorOf(request, ctx.now), by: `person:${person.id}` };
    return ctx.write((tx) => {
      const ended = endSessions(tx, person.id, which);
      if (ended > 0) recordAudit(tx, actor, { action: 'session.ended', metadata: { ended } });
      return ended;
    });
  }

  function forgetCookie(request: FastifyRequest, reply: FastifyReply): void {
    setCookie(ctx, request, reply, { name: SESSION_COOKIE, value: '', maxAge: 0 });
  }
}

function done(request: FastifyRequest, reply: FastifyReply, answer: object) {
  return wantsHtml(request) ? reply.redirect('/me/devices', 303) : answer;
}

function sessionJson({ id, method, browser, network, created_at, seen_at }: Session, own: Session) {
  const times = { created_at: isoTime(created_at), seen_at: isoTime(seen_at) };
  return { id, method, browser, network, ...times, current: id === own.id };
}
