import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort, formatTime } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { endDevicesOf, linkFor, listDevicesOf } from '#people/devices.ts';
import { editorOf } from '#people/roll/people.ts';
import { personDevicesPage, signInLinkPage } from '#views/people/devices.ts';
import { askForStaffAccess } from './staff-access.ts';

const params = z.object({ id: Id });
const deviceParams = z.object({ id: Id, device: z.string().max(64) });
const doneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });
const config = { permission: 'people:sign_in', sudo: true } as const;

const DONE: Record<string, string> = {
  ended: 'The person is signed out there.',
  all: 'The person is signed out everywhere.',
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

  app.delete(
    '/api/admin/people/:id/devices/:device',
    { config, schema: { summary: 'Sign a person out on one device', params: deviceParams } },
    async (request) => {
      await endDevicesOf(ctx, request.params.id, request.params.device, editorOf(ctx, request));
      return { ok: true };
    },
  );

  app.post(
    '/api/admin/people/:id/devices/end-all',
    { config, schema: { summary: 'Sign a person out everywhere', params } },
    async (request) => {
      const ended = await endDevicesOf(ctx, request.params.id, undefined, editorOf(ctx, request));
      return { ok: true, ended };
    },
  );

  app.post(
    '/api/admin/people/:id/sign-in-link',
    { config, schema: { summary: 'A link that signs a person in, once', params } },
    async (request) => {
      const origin = getLinkOrigin(ctx, request);
      await askForStaffAccess(ctx, request, request.params.id);
      const { path, expires_at } = await linkFor(ctx, request.params.id, editorOf(ctx, request));
      return { link: origin + path, expires_at: isoTime(expires_at) };
    },
  );

  app.get(
    '/admin/people/:id/devices',
    { config, schema: { summary: 'Where a person is signed in', params, querystring: doneQuery } },
    async (request, reply) => {
      const { id } = request.params;
      const { name, devices } = listDevicesOf(ctx, id, editorOf(ctx, request));
      const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
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

  app.delete(
    '/admin/people/:id/devices/:device',
    { config, schema: { hide: true, params: deviceParams } },
    async (request, reply) => {
      const { id, device } = request.params;
      await endDevicesOf(ctx, id, device, editorOf(ctx, request));
      return reply.redirect(`/admin/people/${id}/devices?done=ended`, 303);
    },
  );

  app.post(
    '/admin/people/:id/devices/end-all',
    { config, schema: { hide: true, params } },
    async (request, reply) => {
      const { id } = request.params;
      await endDevicesOf(ctx, id, undefined, editorOf(ctx, request));
      return reply.redirect(`/admin/people/${id}/devices?done=all`, 303);
    },
  );

  app.post(
    '/admin/people/:id/sign-in-link',
    { config, schema: { hide: true, params } },
    async (request, reply) => {
      const { id } = request.params;
      const origin = getLinkOrigin(ctx, request);
      await askForStaffAccess(ctx, request, id);
      const { name, path, expires_at } = await linkFor(ctx, id, editorOf(ctx, request));
      const until = formatTime(expires_at, ctx.config.TIME_ZONE);
      const link = origin + path;
      const { identity } = request;
      return sendHtml(reply, signInLinkPage({ identity, person: { id, name }, link, until }));
    },
  );
}
