import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, actorOf, answerDone } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { getElection } from '#voting/elections/elections.ts';
import {
  addOption,
  listEditableOptions,
  OptionInput,
  removeOption,
  TYPE_OF,
} from '#voting/elections/options.ts';

const params = z.object({ id: Id });

/** The same four routes for the candidates of ranked elections and the options of polls. */
export async function options(app: App, { ctx }: { ctx: Context }): Promise<void> {
  for (const kind of ['candidate', 'option'] as const) {
    const plural = `${kind}s` as const;
    const path = `/elections/:id/${plural}`;
    const section = { section: plural };

    app.get(path, { config: { json: true }, schema: { params } }, async (request) => {
      const { id, ballot_type } = await getElection(ctx, request.params.id);
      return { [plural]: ballot_type === TYPE_OF[kind] ? await listEditableOptions(ctx, id) : [] };
    });

    app.post(path, { config: section, schema: { params, body: OptionInput } }, async (request, reply) => {
      const { id } = request.params;
      const added = await addOption(ctx, kind, id, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { ...added, message: `The ${kind} was added` },
        `/admin/elections/${id}?done=${kind}-added#${plural}`,
      );
    });

    app.delete(
      `${path}/:optionId`,
      { config: section, schema: { params: params.extend({ optionId: Id }) } },
      async (request, reply) => {
        const { id, optionId } = request.params;
        await removeOption(ctx, kind, id, optionId, actorOf(request, ctx.now));
        return answerDone(
          request,
          reply,
          { success: true },
          `/admin/elections/${id}?done=${kind}-removed#${plural}`,
        );
      },
    );
  }
}
