import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { conflict } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { ROWS_A_PAGE, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatInList, zoneName } from '#kernel/language/times.ts';
import { withoutAddresses } from '#kernel/mail/mailer.ts';
import { listMails, sendAgain } from '#kernel/mail/outbox.ts';
import { mailsPage } from '#views/content/settings/mails.ts';

const query = z.object({
  show: z.enum(['failed', 'waiting']).optional().catch(undefined),
  page: wholeNumber(1, 1_000_000).optional().catch(undefined),
  done: z.unknown().optional(),
});

/** The mails that were sent, that wait and that failed. Addresses are shown to officers who may see the roll. */
export function mails(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/mails',
    {
      config: { permission: 'settings:write' },
      schema: { summary: 'The mails that were sent, wait or failed', querystring: query },
    },
    async ({ identity, query: { show, page = 1, done } }, reply) => {
      const { rows, total } = listMails(ctx.db, show, {
        limit: ROWS_A_PAGE,
        offset: (page - 1) * ROWS_A_PAGE,
      });
      const zone = ctx.config.TIME_ZONE;
      const showsAddresses = identity?.permissions.has('people:read') ?? false;
      return sendHtml(
        reply,
        mailsPage({
          mails: rows.map(({ id, kind, email, state, error, group_id, ...row }) => ({
            id,
            kind,
            email: showsAddresses ? email : null,
            state,
            error: showsAddresses || error === null ? error : withoutAddresses(error),
            mailing: kind === 'reminder' || kind === 'results' || kind === 'invitation' ? group_id : null,
            when: formatInList(row.ended_at ?? row.created_at, ctx.now(), zone),
            next:
              state === 'WAITING' && row.put_off_at !== null
                ? formatInList(row.due_at, ctx.now(), zone)
                : null,
            mayRepeat: state === 'FAILED' && ctx.mailSorts[kind].mayRepeat === true,
          })),
          show,
          page,
          pageSize: ROWS_A_PAGE,
          total,
          done: done === undefined ? undefined : t('settings.mails.mail_sent_again'),
          zone: zoneName(zone),
          identity,
        }),
      );
    },
  );

  act(app, ctx, {
    both: 'POST /admin/mails/:id/again',
    permission: 'settings:write',
    summary: 'Send a mail again that failed',
    params: z.object({ id: Id }),
    run: ({ params: { id }, actor }) =>
      ctx.write((tx) => {
        const kind = sendAgain(tx, id, ctx.mailSorts, actor.at);
        if (!kind) throw conflict('mail_not_sent_again');
        recordAudit(tx, actor, { action: 'mail.sent_again', metadata: { mail: id, kind } });
      }),
    next: '/admin/mails?done',
  });
}
