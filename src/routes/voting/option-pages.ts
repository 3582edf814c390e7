import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { optionFormPage } from '#views/voting/admin/election/option-form.ts';
import { hasBallots } from '#voting/ballots/ballot-store.ts';
import { getElection, listOptions, optionJson } from '#voting/elections/elections.ts';
import { changeOption } from '#voting/elections/option-changes.ts';
import {
  ensureOption,
  OPTION_TEXT_AT_MOST,
  OptionChange,
  type OptionKind,
} from '#voting/elections/options.ts';

const params = z.object({ id: Id, optionId: Id });
type Params = z.output<typeof params>;

/** The page of one candidate or option, which can be corrected until the first ballot. */
export function optionPages(
  app: App,
  { ctx, kind, address }: { ctx: Context; kind: OptionKind; address: string },
): void {
  app.get(
    address,
    { config: { permission: 'elections:read' }, schema: { params } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      if (wantsHtml(request)) return sendHtml(reply, render(request, request.params));
      const { id, optionId } = request.params;
      const editable = !hasBallots(ctx.db, getElection(ctx.db, id).id);
      return { ...optionJson(ensureOption(listOptions(ctx.db, id), kind, optionId)), editable };
    },
  );

  const config = {
    takesPicture: true,
    refused: (request: FastifyRequest, refused: RefusedForm) =>
      render(request, params.parse(request.params), refused),
    refusedStatuses: [400, 409, 413, 429],
  } as const;
  const schema = { params, body: OptionChange };
  const change = async (
    request: FastifyRequest<{ Params: unknown; Body: unknown }>,
    reply: FastifyReply,
    { id, optionId }: Params,
    body: z.output<typeof OptionChange>,
  ) => {
    const place = { kind, electionId: id, optionId };
    const { upload } = request;
    const option = await changeOption(ctx, place, { change: body, upload }, actorOf(request, ctx.now));
    const location = `/admin/elections/${id}?done=${kind}-changed#${kind}s`;
    return answerDone(request, reply, { success: true, [kind]: option }, location);
  };
  app.patch(address, { config, schema }, (request, reply) =>
    change(request, reply, request.params, request.body),
  );
  // A form with a file can only be sent with POST.
  app.post(address, { config, schema }, (request, reply) =>
    change(request, reply, request.params, request.body),
  );

  function render(request: FastifyRequest, { id, optionId }: Params, refused?: RefusedForm) {
    const election = getElection(ctx.db, id);
    return optionFormPage({
      kind,
      election,
      option: optionJson(ensureOption(listOptions(ctx.db, id), kind, optionId)),
      isFixed: hasBallots(ctx.db, id),
      textAtMost: OPTION_TEXT_AT_MOST,
      entered: refused?.entered ?? {},
      message: refused && refused.errors.length === 0 ? refused.message : undefined,
      errors: refused?.errors ?? [],
      viewer: request.viewer,
    });
  }
}
