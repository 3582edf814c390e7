import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ContentDisplay } from '#content/display.ts';
import { importJson } from '#content/import/import.ts';
import type { Importer } from '#content/import/importer.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { isOwner } from '#kernel/access/permissions.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import { forbidden } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import { importPage } from '#views/content/import.ts';
import { EDITORS } from './editors.ts';

/** The longest time that the page waits for a run to end. */
const WAIT = 10 * SECOND;
const KINDS = {
  ...Object.fromEntries(EDITORS.map(({ words: { name, many } }) => [name, many])),
  [SPECIAL.name]: t('content-admin.import.shifts'),
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

  app.get(
    '/admin/content/import',
    { config: { permission: 'content:write' }, schema: { summary: 'The import from the workspace' } },
    async (request, reply) => {
      ensureOwner(request);
      return sendHtml(reply, render(request));
    },
  );

  act(app, ctx, {
    api: 'POST /api/admin/content/import',
    form: 'POST /admin/content/import',
    summary: 'Import the content of the workspace, or preview it',
    permission: 'content:write',
    body: z.object({ dry_run: flag.default(false) }),
    refused: render,
    run: async ({ body: { dry_run }, actor, request }) => {
      ensureOwner(request);
      return { imported: importer.run(dry_run, actor) };
    },
    json: async ({ imported }) => ({ ok: true, ...importJson(await imported) }),
    next: async ({ imported }) => {
      // The page shows the result, also of a failed run.
      await Promise.race([imported.catch(() => undefined), wait(WAIT)]);
      return '/admin/content/import';
    },
  });
}

function ensureOwner(request: FastifyRequest): void {
  if (!isOwner(request)) throw forbidden('import_for_owners');
}

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
