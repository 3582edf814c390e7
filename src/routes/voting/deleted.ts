import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { deletedPage } from '#views/voting/deleted.ts';
import { type DeletedElection, findDeleted } from '#voting/elections/deletion.ts';

/** Answers a 410 with what stays of a deleted election, for each route of a scope that does not find it. */
export function answerForDeleted(ctx: Context, scope: App): void {
  scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const { id } = fieldsOf(request.params);
    const deleted = error.statusCode === 404 && typeof id === 'string' ? findDeleted(ctx.db, id) : undefined;
    if (!deleted) throw error;
    return sendDeleted(ctx, deleted, request, reply);
  });
}

/** @throws 410 for clients that do not want a page */
export function sendDeleted(
  ctx: Context,
  deleted: DeletedElection,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (!wantsHtml(request)) throw new AppError(410, 'election_deleted', {}, { extra: { deleted } });
  const when = (time: string) => formatWhen(Date.parse(time), ctx.config.TIME_ZONE);
  const { open_at, close_at, closed_at, deleted_at } = deleted;
  const page = deletedPage({
    deleted,
    opens: when(open_at),
    closes: when(closed_at ?? close_at),
    when: when(deleted_at),
  });
  return sendHtml(reply, page, 410);
}
