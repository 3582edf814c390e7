import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isOwner } from '#kernel/access/permissions.ts';
import {
  type BackupRules,
  backupFolder,
  databaseFile,
  listOwnBackups,
  makeBackup,
  nextBackup,
} from '#kernel/backups.ts';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { keyFileOf } from '#kernel/db/key-check.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { conflict, forbidden, notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import { formatBytes, formatInList, formatShort, formatWhen, zoneName } from '#kernel/language/times.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { backupsPage } from '#views/content/settings/backups.ts';

const DONE = {
  made: t('settings.backups.backup_made_checked'),
  started: t('settings.backups.backup_being_made_load_page'),
};

/** How long a form waits for its backup: that of a club is ready by then. */
const SHOWN_WITHIN = 5 * SECOND;

/** The backups of the service: the list, one that is made now, and the files, for owners. */
export function backups(app: App, { ctx, rules }: { ctx: Context; rules: BackupRules }): void {
  const permission = 'settings:write';

  app.get(
    '/api/admin/backups',
    { config: { permission }, schema: { summary: 'The backups of the service, and when it makes the next' } },
    async () => {
      const next = nextBackup(ctx, rules);
      const { running, failure, waitsUntil } = ctx.backups;
      return {
        backups: listOwnBackups(ctx).map(({ made, ...backup }) => ({ ...backup, made_at: isoTime(made) })),
        next_at: next === null ? null : isoTime(next),
        waits_until: waitsUntil === undefined ? null : isoTime(waitsUntil),
        running: running !== undefined,
        failure: failure ? { at: isoTime(failure.at), error: failure.error.for(ENGLISH) } : null,
      };
    },
  );

  app.get(
    '/admin/backups',
    {
      config: { permission },
      schema: { summary: 'The backups of the service', querystring: doneQuery },
    },
    async (request, reply) => sendHtml(reply, renderPage(ctx, rules, request, { done: request.query.done })),
  );

  act(app, ctx, {
    api: 'POST /api/admin/backups',
    form: 'POST /admin/backups',
    permission,
    summary: 'Make a backup now; while voting is open only with `now`',
    body: z.object({ now: z.boolean().default(false) }).prefault({}),
    fromForm: ({ now }) => ({ now: now === 'true' }),
    refused: (request, { message }) => renderPage(ctx, rules, request, { refused: message }),
    run: async ({ body, actor }) => {
      if (databaseFile(ctx.config) === undefined) throw conflict('nothing_to_back_up');
      const until = rules.votingUntil(ctx);
      if (until !== undefined && !body.now)
        throw conflict('backup_while_voting', { until: isoTime(until) }, { extra: { needs: 'now' } });
      const metadata = { voting_open: until !== undefined };
      await ctx.write((tx) => recordAudit(tx, actor, { action: 'backup.asked_for', metadata }));
      // Its failure is told by the page and by the health of the service.
      const making = makeBackup(ctx, rules).then(
        () => ctx.log.info('a backup was made'),
        (err: unknown) => ctx.log.error({ err }, 'a backup could not be made'),
      );
      return { making };
    },
    json: (_done, { reply }) => {
      reply.code(202);
      return { ok: true };
    },
    next: async ({ making }) => {
      await Promise.race([making, wait(SHOWN_WITHIN, undefined, { ref: false })]);
      if (ctx.backups.running) return '/admin/backups?done=started';
      return `/admin/backups${ctx.backups.failure ? '' : '?done=made'}`;
    },
  });

  app.get(
    '/api/admin/backups/:name',
    {
      exposeHeadRoute: false,
      config: { permission, sudo: true },
      schema: {
        summary: 'A backup as a file, for owners',
        params: z.object({ name: z.string().max(100) }),
      },
      onRequest: async (request) => {
        if (!isOwner(request)) throw forbidden('backups_for_owners');
      },
    },
    async (request, reply) => {
      const folder = backupFolder(ctx.config);
      // Only a name that is listed: it cannot lead to another folder.
      const backup = listOwnBackups(ctx).find(({ name }) => name === request.params.name);
      if (!backup || folder === undefined) throw notFound('not_found');
      const file = await fs.promises.open(path.join(folder, backup.name)).catch(() => {
        throw notFound('not_found');
      });
      const { size } = await file.stat();
      const actor = actorOf(request, ctx.now);
      const metadata = { name: backup.name, bytes: size };
      await ctx.write((tx) => recordAudit(tx, actor, { action: 'backup.downloaded', metadata }));
      return reply
        .type('application/vnd.sqlite3')
        .header('content-length', size)
        .header('content-disposition', `attachment; filename="${backup.name}"`)
        .send(file.createReadStream());
    },
  );
}

function renderPage(
  ctx: Context,
  rules: BackupRules,
  request: FastifyRequest,
  { done, refused }: { done?: string | undefined; refused?: Words },
): Html {
  const zone = ctx.config.TIME_ZONE;
  const { failure, running } = ctx.backups;
  const file = databaseFile(ctx.config);
  const [next, until] = [nextBackup(ctx, rules), rules.votingUntil(ctx)];
  return backupsPage({
    backups: listOwnBackups(ctx).map(({ name, made, bytes, verified }) => ({
      name,
      made: formatInList(made, ctx.now(), zone),
      size: formatBytes(bytes),
      verified,
    })),
    keep: ctx.config.settings['backups.keep'],
    next: next === null ? undefined : formatWhen(next, zone),
    votingUntil: until === undefined ? undefined : formatWhen(until, zone),
    isRunning: running !== undefined,
    failure: failure && { when: formatShort(failure.at, zone), error: failure.error },
    place: file === undefined ? undefined : { folder: backupFolder(ctx.config) ?? '', key: keyFileOf(file) },
    keyIsFile: ctx.config.SECRET_KEY === undefined,
    isOwner: isOwner(request),
    done: ownValue<Words>(DONE, done),
    refused,
    zone: zoneName(zone),
    identity: request.identity,
  });
}
