import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { findItemOf } from '#meetings/items.ts';
import { announceAnew } from '#meetings/room/acts.ts';
import { placeOfQuestion } from '#routes/voting/officers-page/address.ts';
import { lotPage, PLACE_FIELD } from '#views/voting/admin/election/lot.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { drawLot, findAwaiting, LotInput } from '#voting/counting/lots.ts';
import { ensureVisible, getResults, settleClosedElections } from '#voting/counting/results.ts';
import { listLots } from '#voting/elections/drawn-lots.ts';
import { findElection, getElection, listOptions } from '#voting/elections/elections.ts';

const params = z.object({ id: Id });

/** Lots between candidates with equal votes, which the chair draws by hand. */
export function lots(app: App, { ctx }: { ctx: Context }): void {
  const permission = 'elections:certify';

  app.get(
    '/admin/elections/:id/lot',
    { config: { permission }, schema: { params } },
    async (request, reply) => {
      await settleClosedElections(ctx);
      return sendHtml(reply, renderLot(ctx, request));
    },
  );

  act(app, ctx, {
    both: 'POST /admin/elections/:id/lot',
    summary: 'Record a lot that was drawn between candidates with equal votes; the count goes on with it',
    permission,
    params,
    body: LotInput,
    fromForm: ({ drawn_by, witnesses, ...fields }) => {
      const places = Object.entries(fields).filter(([name]) => name.startsWith(PLACE_FIELD));
      const order = places
        .toSorted(([, a], [, b]) => Number(a) - Number(b))
        // Two cannot have one place: the second is left out, and the incomplete order is refused.
        .filter(([, place], at, all) => place !== '' && all[at - 1]?.[1] !== place)
        .map(([name]) => name.slice(PLACE_FIELD.length));
      return { order, drawn_by, witnesses };
    },
    refused: (request, form) => {
      if (!findElection(ctx.db, request.params.id)) throw form.error;
      return renderLot(ctx, request, form);
    },
    refusedStatuses: [400, 409],
    run: async ({ params: { id }, body, actor, request: { granted } }) => {
      await settleClosedElections(ctx);
      ensureVisible(ctx, getElection(ctx.db, id), granted);
      await drawLot(ctx, id, body, actor, (tx) => announceAnew(tx, id, actor));
      return getResults(ctx, getElection(ctx.db, id), { granted });
    },
    json: (results) => ({ success: true, results }),
    // The chair goes on where the result is announced.
    next: (_, { params: { id } }) => chairOf(ctx, id) ?? `/admin/elections/${id}/lot`,
  });
}

/** The chair's page of the meeting that votes on an election. */
function chairOf({ db }: Context, id: string): string | undefined {
  const item = findItemOf(db, id);
  return item && `/admin/meetings/${item.meeting_id}/chair`;
}

function renderLot(ctx: Context, request: FastifyRequest, refused?: RefusedForm) {
  const { id } = request.params as { id: string };
  const election = getElection(ctx.db, id);
  ensureVisible(ctx, election, request.granted);
  const options = listOptions(ctx.db, id);
  const nameOf = (option: string) => options.find((one) => one.id === option)?.name ?? '';
  const item = findItemOf(ctx.db, id);
  const { tied, settled } = findAwaiting(ctx.db, election) ?? {};
  return lotPage({
    election,
    tied: tied?.map((option) => ({ id: option, name: nameOf(option) })),
    first: (settled && viewOf(election.ballot_type).lotTakes?.(settled.results)) ?? '',
    announces: item?.state === 'declared',
    chair: chairOf(ctx, id),
    lots: listLots(ctx.db, id).map(({ order, ...lot }) => ({ ...lot, names: order.map(nameOf) })),
    entered: refused?.entered ?? {},
    errors: refused?.errors ?? [],
    meeting: placeOfQuestion(ctx, id),
    viewer: request.viewer,
  });
}
