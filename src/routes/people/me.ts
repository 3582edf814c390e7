import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ensureOwnWrite } from '#kernel/access/guards.ts';
import { permissionsOf } from '#kernel/access/roles.ts';
import {
  endSessions,
  findSignedIn,
  listSessions,
  type Session,
  type SignedIn,
} from '#kernel/access/sessions.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatInSentence, zoneName } from '#kernel/language/times.ts';
import { listOwnMinutes } from '#meetings/minutes/versions.ts';
import { listLinks } from '#people/oidc/links.ts';
import { providerName } from '#people/oidc/provider.ts';
import { type ListOwnElections, ownElectionJson } from '#people/own-elections.ts';
import { listPasskeys } from '#people/passkeys/passkeys.ts';
import { offersPasskeys } from '#people/passkeys/relying-party.ts';
import { listAddresses } from '#people/persons.ts';
import { countRecoveryCodes, makeRecoveryCodes } from '#people/recovery-codes.ts';
import { FIRST_STEPS } from '#views/content/first-steps.ts';
import { devicesPage, mePage, recoveryCodesPage } from '#views/people/me.ts';
import { actorOfPerson, forgetCookie, requireSignedIn, requireWriter } from './signed-in.ts';
import { listTasks } from './tasks.ts';

const params = z.object({ id: z.string().max(64) });
const meQuery = z.object({ mailed: z.string().max(5).optional().catch(undefined) });

/** The own pages of a signed-in person: overview, sessions, recovery codes, sign-out. */
export function me(
  app: App,
  { ctx, listOwnElections }: { ctx: Context; listOwnElections: ListOwnElections },
): void {
  app.get('/me/first-steps', async (_request, reply) => reply.redirect(FIRST_STEPS, 303));

  app.get('/me', { schema: { querystring: meQuery } }, async (request, reply) => {
    const signedIn = requireSignedIn(ctx, request, reply);
    if (!signedIn) return reply;
    const { person, roles, session } = signedIn;
    const permissions = [...permissionsOf(roles)];
    reply.header('vary', 'Accept');
    const addresses = listAddresses(ctx.db, person.id);
    const own = listOwnElections(signedIn);
    if (!wantsHtml(request)) {
      const elections = own.map(ownElectionJson);
      const minutes = listOwnMinutes(ctx.db, person.id);
      const sent = { person: { ...person, addresses }, roles, permissions, minutes };
      return { ...sent, session: sessionJson(session, session), elections };
    }
    const when = (iso: string) => formatInSentence(Date.parse(iso), ctx.now(), ctx.config.TIME_ZONE);
    const elections = own.map((one) => ({ ...one, opens: when(one.opens_at), closes: when(one.closes_at) }));
    return sendHtml(
      reply,
      mePage({
        person,
        roles,
        permissions,
        addresses,
        recoveryCodes: roles.length > 0 ? countRecoveryCodes(ctx.db, person.id) : null,
        minutes: listOwnMinutes(ctx.db, person.id),
        tasks: listTasks(ctx, permissions),
        elections: { elections, mailed: request.query.mailed === '1', zone: zoneName(ctx.config.TIME_ZONE) },
        passkeys: { count: listPasskeys(ctx.db, person.id).length, offered: offersPasskeys(ctx) },
        accounts: showsAccounts(person.id),
      }),
    );
  });

  app.get('/me/devices', async (request, reply) => {
    const signedIn = requireSignedIn(ctx, request, reply);
    if (!signedIn) return reply;
    const sessions = listSessions(ctx, signedIn.person.id);
    if (!wantsHtml(request))
      return { devices: sessions.map((session) => sessionJson(session, signedIn.session)) };
    const when = (at: number) => formatInSentence(at, ctx.now(), ctx.config.TIME_ZONE);
    const devices = sessions.map((session) => ({
      ...session,
      current: session.id === signedIn.session.id,
      since: when(session.created_at),
      seen: when(session.seen_at),
    }));
    return sendHtml(reply, devicesPage({ devices }));
  });

  act(app, ctx, {
    both: 'DELETE /me/devices/:id',
    params,
    run: async ({ params: { id }, request, reply }) => {
      const signedIn = requireWriter(ctx, request);
      if ((await end(request, signedIn, { id })) === 0) throw notFound('session_not_found');
      if (id === signedIn.session.id) forgetCookie(ctx, request, reply);
    },
    next: '/me/devices',
  });

  act(app, ctx, {
    both: 'POST /me/devices/end-others',
    run: async ({ request }) => {
      const signedIn = requireWriter(ctx, request);
      return end(request, signedIn, { except: signedIn.session.id });
    },
    json: (ended) => ({ ok: true, ended }),
    next: '/me/devices',
  });

  act(app, ctx, {
    both: 'POST /me/recovery-codes',
    run: async ({ request }) => {
      const signedIn = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      return makeRecoveryCodes(ctx, signedIn.person.id, actorOfPerson(ctx, request, signedIn));
    },
    json: (codes) => ({ codes }),
    next: (codes) => recoveryCodesPage({ codes }),
  });

  app.post('/sign-out', async (request, reply) => {
    const signedIn = findSignedIn(ctx, request);
    if (signedIn) {
      ensureOwnWrite(ctx, request);
      await end(request, signedIn, { id: signedIn.session.id });
    }
    forgetCookie(ctx, request, reply);
    reply.header('clear-site-data', '"cache"');
    if (!wantsHtml(request)) return { ok: true };
    // The session here has ended already, independent of the provider.
    const isOidc = signedIn?.session.method === 'oidc' && providerName(ctx) !== undefined;
    return reply.redirect(isOidc ? '/sign-out/oidc' : '/', 303);
  });

  /** Whether the page mentions accounts at an OpenID provider. */
  const showsAccounts = (personId: string) =>
    providerName(ctx) !== undefined || listLinks(ctx.db, personId).length > 0;

  function end(
    request: FastifyRequest,
    signedIn: SignedIn,
    which: { id?: string; except?: string },
  ): Promise<number> {
    const actor = actorOfPerson(ctx, request, signedIn);
    return ctx.write((tx) => {
      const ended = endSessions(tx, signedIn.person.id, which);
      if (ended > 0) recordAudit(tx, actor, { action: 'session.ended', metadata: { ended } });
      return ended;
    });
  }
}

function sessionJson({ id, method, browser, network, created_at, seen_at }: Session, own: Session) {
  const times = { created_at: isoTime(created_at), seen_at: isoTime(seen_at) };
  return { id, method, browser, network, ...times, current: id === own.id };
}
