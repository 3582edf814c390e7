import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { acceptPictures } from '#content/pictures/accept.ts';
import { getPictureFile } from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { act } from '#kernel/http/act.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { shownSize, smallerImage } from '#kernel/images/image.ts';
import { t } from '#kernel/language/message.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { placeOfQuestion } from '#routes/voting/officers-page/address.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { optionFormPage } from '#views/voting/admin/election/option-form.ts';
import { withdrawalFormPage } from '#views/voting/admin/election/withdrawal-form.ts';
import { getElection, listOptions, optionJson } from '#voting/elections/elections.ts';
import { isInMeeting } from '#voting/elections/issuers.ts';
import {
  addOption,
  changeOption,
  ensureOption,
  ensureWithdrawable,
  listEditableOptions,
  OPTION_TEXT_AT_MOST,
  OptionChange,
  OptionInput,
  removeOption,
  WithdrawalInput,
  withdrawOption,
} from '#voting/elections/options.ts';
import { hasBallots } from '#voting/elections/turnout.ts';
import { type OptionKind, rulesOf } from '#voting/shared/ballot-types.ts';

const params = z.object({ id: Id });
const oneOption = z.object({ id: Id, optionId: Id });

/** The same routes for the candidates of ranked elections and the options of polls. */
export async function options(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const kinds = [
    [
      'candidate',
      '/admin/elections/:id/candidates',
      '/admin/elections/:id/candidates/:optionId',
      '/admin/elections/:id/candidates/:optionId/withdraw',
    ],
    [
      'option',
      '/admin/elections/:id/options',
      '/admin/elections/:id/options/:optionId',
      '/admin/elections/:id/options/:optionId/withdraw',
    ],
  ] as const;
  await app.register(async (scope: App) => {
    await acceptPictures(scope, ctx);
    for (const [kind, , one, withdraw] of kinds) {
      oneOfThem(scope, ctx, kind, one);
      withdrawing(scope, ctx, kind, withdraw);
    }
  });
  for (const [kind, list, one] of kinds) {
    const plural = `${kind}s` as const;

    app.get(list, { config: { json: true }, schema: { params } }, async (request) => {
      const { id, ballot_type } = getElection(ctx.db, request.params.id);
      return { [plural]: rulesOf(ballot_type).options?.kind === kind ? listEditableOptions(ctx.db, id) : [] };
    });

    act(app, ctx, {
      ...onPage(ctx, plural, `${kind}-added`),
      both: `POST ${list}`,
      body: OptionInput,
      run: ({ params: { id }, body, actor }) => addOption(ctx, kind, id, body, actor),
      json: (added) => ({ ...added, message: `The ${kind} was added` }),
    });

    act(app, ctx, {
      ...onPage(ctx, plural, `${kind}-removed`),
      both: `DELETE ${one}`,
      params: oneOption,
      run: ({ params: { id, optionId }, actor }) => removeOption(ctx, kind, id, optionId, actor),
    });
  }
}

/** Withdrawing a candidate or an option after the opening: two people, where the club's rule wants them. */
function withdrawing(
  app: App,
  ctx: Context,
  kind: OptionKind,
  address: `/admin/elections/:id/${'candidates' | 'options'}/:optionId/withdraw`,
): void {
  const permission = 'elections:certify';
  app.get(address, { config: { permission }, schema: { params: oneOption } }, async (request, reply) =>
    sendHtml(reply, render(request, request.params)),
  );

  act(app, ctx, {
    ...onPage(ctx, `${kind}s`, `${kind}-withdrawn`),
    both: `POST ${address}`,
    summary: `Withdraw ${kind === 'candidate' ? 'a candidate' : 'an option'} after the opening`,
    permission,
    sudo: true,
    params: oneOption,
    body: WithdrawalInput,
    refused: (request, refused) => render(request, request.params, refused),
    run: ({ params: { id, optionId }, body, actor, request }) => {
      const election = getElection(ctx.db, id);
      const of = { kind, electionId: id, optionId };
      const isLate = election.opened_at !== null;
      const { name } = isLate
        ? ensureWithdrawable(ctx.db, of, actor.at)
        : ensureOption(listOptions(ctx.db, id), kind, optionId);
      const act = t('voting-admin.options.withdraw_from', { name, title: election.title });
      const details = [{ label: t('voting-admin.options.note'), value: body.note }];
      const grave = isInMeeting(ctx.db, election) ? 'meeting_withdrawal' : 'withdrawal';
      const sensitive = isLate ? ({ kind: grave, act, details } as const) : undefined;
      return withApproval(ctx, request, sensitive, (two) => withdrawOption(ctx, of, body, actor, two), {
        tried: (on, two) => withdrawOption(on, of, body, actor, two),
      });
    },
  });

  function render(
    { viewer }: FastifyRequest,
    { id, optionId }: z.output<typeof oneOption>,
    { entered = {}, errors = [], message }: Partial<RefusedForm> = {},
  ) {
    const { title } = getElection(ctx.db, id);
    const option = ensureOption(listOptions(ctx.db, id), kind, optionId);
    return withdrawalFormPage({
      kind,
      election: { id, title },
      option,
      entered,
      message,
      errors,
      meeting: placeOfQuestion(ctx, id),
      viewer,
    });
  }
}

/** The page of one candidate or option, which can be corrected until the first ballot. */
function oneOfThem(
  app: App,
  ctx: Context,
  kind: OptionKind,
  address: `/admin/elections/:id/${'candidates' | 'options'}/:optionId`,
): void {
  app.get(address, { schema: { params: oneOption } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    if (wantsHtml(request)) return sendHtml(reply, render(request, request.params));
    const { id, optionId } = request.params;
    const editable = !hasBallots(ctx.db, getElection(ctx.db, id).id);
    return { ...optionJson(ensureOption(listOptions(ctx.db, id), kind, optionId)), editable };
  });

  act(app, ctx, {
    ...onPage(ctx, `${kind}s`, `${kind}-changed`),
    // A form with a file can only be sent with POST.
    both: [`PATCH ${address}`, `POST ${address}`],
    config: { takesPicture: true },
    params: oneOption,
    body: OptionChange,
    refused: (request, refused) => render(request, request.params, refused),
    refusedStatuses: [400, 409, 413, 429],
    run: ({ params: { id, optionId }, body, actor, request: { upload } }) =>
      changeOption(ctx, { kind, electionId: id, optionId }, { change: body, upload }, actor),
    json: (option) => ({ success: true, [kind]: option }),
  });

  function render(
    { viewer }: FastifyRequest,
    { id, optionId }: z.output<typeof oneOption>,
    { entered = {}, errors = [], message }: Partial<RefusedForm> = {},
  ) {
    return optionFormPage({
      kind,
      election: getElection(ctx.db, id),
      option: optionJson(ensureOption(listOptions(ctx.db, id), kind, optionId)),
      isFixed: hasBallots(ctx.db, id),
      textAtMost: OPTION_TEXT_AT_MOST,
      entered,
      message: errors.length === 0 ? message : undefined,
      errors,
      meeting: placeOfQuestion(ctx, id),
      viewer,
    });
  }
}

/** Browsers ask again after a day, because a picture is deleted with its election. */
const CACHE = 'public, max-age=86400';

const PictureQuery = z.object({ size: shownSize(480) });

/** Serves the pictures of candidates and options, and no others: the picture of a draft must not be public. */
export function candidatePictures(app: App, { ctx }: { ctx: Context }): void {
  app.get<{ Params: { picture: string }; Querystring: z.infer<typeof PictureQuery> }>(
    '/assets/candidates/:picture',
    {
      config: { admission: 'uncounted' },
      schema: { summary: 'The picture of a candidate or an option', querystring: PictureQuery },
    },
    async (request, reply) => {
      const { picture } = request.params;
      if (!/^[0-9a-f]{32}$/.test(picture) || !ctx.db.first(optionWith({ picture })))
        throw new AppError(404, 'image_not_found');
      const image = getPictureFile(ctx.db, picture, 480);
      const { size } = request.query;
      return sendCached(request, reply, size < 480 ? await smallerImage(ctx, image, size) : image, CACHE);
    },
  );
}

const optionWith = prepare((p: { picture: string }) =>
  build.selectFrom('options').select('id').where('picture', '=', p.picture).limit(1),
);
