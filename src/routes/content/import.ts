import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ContentDisplay } from '#content/display.ts';
import type { Importer } from '#content/import/importer.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { isOwner } from '#kernel/access/permissions.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import { forbidden } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { flag } from '#kernel/http/validation.ts';
import { formatShort } from '#kernel/local-time.ts';
import { importPage } from '#views/content/import.ts';
import { EDITORS } from './editors.ts';

const PAGE = '/admin/content/import';
const ImportBody = z.object({ dry_run: flag.default(false) });

/** The longest time that the page waits for a run to end. */
const WAIT = 10 * SECOND;
const KINDS = {
  ...Object.fromEntries(EDITORS.map(({ words: { name, many } }) => [name, many])),
  [SPECIAL.name]: 'Shifts, as special days',
};

/** The import from the workspace, for owners. */
export function importRoutes(
  app: App,
  { ctx, display, importer }: { ctx: Context; display: ContentDisplay; importer: Importer },
): void {
  const render = ({ identity }: FastifyRequest, refused?: RefusedForm): Html => {
    const { last, running } = importer;
    return importPage({
      identity,
      refused,
      running,
      kinds: KINDS,
      isConfigured: ctx.workspace !== undefined,
      last: last && { ...last, when: formatShort(last.at, ctx.config.TIME_ZONE) },
      rest: display.listWorkspacePages(),
      elections: display.countFollowedElections(),
    });
  };

  app.post(
    '/api/admin/content/import',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'Import the content of the workspace, or preview it', body: ImportBody },
    },
    async (request) => {
      ensureOwner(request);
      return { ok: true, ...(await importer.run(request.body.dry_run, actorOf(request, ctx.now))) };
    },
  );

  app.get(
    PAGE,
    { config: { permission: 'content:write' }, schema: { summary: 'The import from the workspace' } },
    async (request, reply) => {
      ensureOwner(request);
      return sendHtml(reply, render(request));
    },
  );

  app.post(
    PAGE,
    {
      config: { permission: 'content:write', ...refusedOn(render) },
      schema: { hide: true, body: ImportBody },
    },
    async (request, reply) => {
      ensureOwner(request);
      const run = importer.run(request.body.dry_run, actorOf(request, ctx.now));
      // The page shows the result, also of a failed run.
      await Promise.race([run.catch(() => undefined), wait(WAIT)]);
      return reply.redirect(PAGE, 303);
    },
  );
}

function ensureOwner(request: FastifyRequest): void {
  if (!isOwner(request)) throw forbidden('The import is for owners');
}

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
