import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatInSentence, formatTime } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { findStaffAccess } from '#people/approvals/staff-access.ts';
import { endDevicesOf, linkFor, listDevicesOf } from '#people/devices.ts';
import { editorOf } from '#people/roll/people.ts';
import { personDevicesPage, signInLinkPage } from '#views/people/devices.ts';
import { withApproval } from './with-approval.ts';

const params = z.object({ id: Id });
const deviceParams = z.object({ id: Id, device: z.string().max(64) });
const config = { permission: 'people:sign_in', sudo: true } as const;

const DONE: Record<string, Words> = {
  ended: t('people-admin.devices.done_ended'),
  all: t('people-admin.devices.done_all'),
};

/** Routes for the sessions of other people, and for sign-in links when mail does not reach them. */
export function devices(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/people/:id/devices',
    { config, schema: { summary: 'Where a person is signed in', params } },
    async (request) => {
      const { devices } = listDevicesOf(ctx, request.params.id, editorOf(ctx, request));
      return {
        devices: devices.map(({ id, method, browser, network, created_at, seen_at }) => ({
          id,
          method,
          browser,
          network,
          created_at: isoTime(created_at),
          seen_at: isoTime(seen_at),
        })),
      };
    },
  );

  app.get(
    '/admin/people/:id/devices',
    { config, schema: { summary: 'Where a person is signed in', params, querystring: doneQuery } },
    async (request, reply) => {
      const { id } = request.params;
      const { name, devices } = listDevicesOf(ctx, id, editorOf(ctx, request));
      const when = (at: number) => formatInSentence(at, ctx.now(), ctx.config.TIME_ZONE);
      const shown = devices.map((one) => ({
        ...one,
        since: when(one.created_at),
        seen: when(one.seen_at),
      }));
      const done = ownValue(DONE, request.query.done);
      const { identity } = request;
      return sendHtml(reply, personDevicesPage({ identity, done, person: { id, name }, devices: shown }));
    },
  );

  act(app, ctx, {
    ...config,
    api: 'DELETE /api/admin/people/:id/devices/:device',
    form: 'DELETE /admin/people/:id/devices/:device',
    summary: 'Sign a person out on one device',
    params: deviceParams,
    run: ({ params: { id, device }, request }) => endDevicesOf(ctx, id, device, editorOf(ctx, request)),
    next: (_, { params: { id } }) => `/admin/people/${id}/devices?done=ended`,
  });

  act(app, ctx, {
    ...config,
    api: 'POST /api/admin/people/:id/devices/end-all',
    form: 'POST /admin/people/:id/devices/end-all',
    summary: 'Sign a person out everywhere',
    params,
    run: ({ params: { id }, request }) => endDevicesOf(ctx, id, undefined, editorOf(ctx, request)),
    json: (ended) => ({ ok: true, ended }),
    next: (_, { params: { id } }) => `/admin/people/${id}/devices?done=all`,
  });

  act(app, ctx, {
    ...config,
    api: 'POST /api/admin/people/:id/sign-in-link',
    form: 'POST /admin/people/:id/sign-in-link',
    summary: 'A link that signs a person in, once',
    params,
    run: ({ params: { id }, request }) => {
      const origin = getLinkOrigin(ctx, request);
      const make = async (on: Context) => {
        const { path, ...made } = await linkFor(on, id, editorOf(ctx, request));
        return { ...made, link: origin + path };
      };
      return withApproval(ctx, request, findStaffAccess(ctx, request, id), () => make(ctx), { tried: make });
    },
    made: ({ name }, { params: { id } }) => ({
      what: t('people-admin.devices.link_made', { name }),
      page: `/admin/people/${id}/devices`,
    }),
    json: ({ link, expires_at }) => ({ link, expires_at: isoTime(expires_at) }),
    next: ({ name, link, expires_at }, { params: { id }, request: { identity } }) => {
      const until = formatTime(expires_at, ctx.config.TIME_ZONE);
      return signInLinkPage({ identity, person: { id, name }, link, until });
    },
  });
}
