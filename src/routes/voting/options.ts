import { z } from 'zod';
import { acceptPictures } from '#content/pictures/accept.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { getElection } from '#voting/elections/elections.ts';
import {
  addOption,
  BALLOT_TYPE_WITH,
  listEditableOptions,
  OptionInput,
  removeOption,
} from '#voting/elections/options.ts';
import { refusedOnElectionPage } from './election-page.ts';
import { optionPages } from './option-pages.ts';

const params = z.object({ id: Id });

const ADDRESSES = {
  candidate: ['/admin/elections/:id/candidates', '/admin/elections/:id/candidates/:optionId'],
  option: ['/admin/elections/:id/options', '/admin/elections/:id/options/:optionId'],
} as const;

/** The same routes for the candidates of ranked elections and the options of polls. */
export async function options(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(async (scope: App) => {
    await acceptPictures(scope, ctx);
    for (const kind of ['candidate', 'option'] as const)
      optionPages(scope, { ctx, kind, address: ADDRESSES[kind][1] });
  });
  for (const kind of ['candidate', 'option'] as const) {
    const plural = `${kind}s` as const;
    const [list, one] = ADDRESSES[kind];
    const config = refusedOnElectionPage(ctx, plural);

    app.get(list, { config: { json: true }, schema: { params } }, async (request) => {
      const { id, ballot_type } = getElection(ctx.db, request.params.id);
      return { [plural]: ballot_type === BALLOT_TYPE_WITH[kind] ? listEditableOptions(ctx.db, id) : [] };
    });

    app.post(list, { config, schema: { params, body: OptionInput } }, async (request, reply) => {
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
      one,
      { config, schema: { params: params.extend({ optionId: Id }) } },
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
