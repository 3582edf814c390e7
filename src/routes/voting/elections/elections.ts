import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { badField, fieldError } from '#kernel/http/errors.ts';
import { linesOf, nestForm } from '#kernel/http/form.ts';
import { type App, isForm, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { fieldErrors, fieldsOf, flag } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { zoneName } from '#kernel/language/times.ts';
import { addDays, localDate, nextFullHour, toLocalInput } from '#kernel/local-time.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { copiedPage, renderElectionPage } from '#routes/voting/officers-page/election.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { askedOf, firstPage, pageQuery } from '#routes/voting/officers-page/shared.ts';
import { closeAct, datesAct, deletionAct } from '#routes/voting/sensitive-acts.ts';
import { enteredText, isTicked } from '#views/components/entered.ts';
import { ballotPreview } from '#views/voting/admin/election/ballot-preview.ts';
import { chairPath } from '#views/voting/admin/election/chair.ts';
import { cloneFormPage } from '#views/voting/admin/election/clone-form.ts';
import { electionFormPage, type HandOut } from '#views/voting/admin/election/election-form.ts';
import { arrivalPath, textsFormIn } from '#views/voting/admin/sections/forms.ts';
import { settingsFormIn } from '#views/voting/admin/sections/settings-fields.ts';
import { listsSignatures } from '#views/voting/words.ts';
import { liveFigures, settleClosedElections } from '#voting/counting/results.ts';
import { voidAndRepeat } from '#voting/counting/void-and-repeat.ts';
import { readSettings, SettingsInput, withoutUnknown } from '#voting/election-settings.ts';
import {
  AttachmentInput,
  BallotTypeInput,
  changeAttachment,
  changeDates,
  changeSettings,
  changeWording,
  closeElection,
  createElection,
  DatesInput,
  ElectionInput,
  readWindow,
  SettingsPatch,
  WordingInput,
} from '#voting/elections/changes.ts';
import { CloneInput, cloneElection, proposeCopy } from '#voting/elections/clone.ts';
import { DeletionInput, deleteElection, type ShownFigures } from '#voting/elections/deletion.ts';
import {
  type Election,
  electionJson,
  electionStatus,
  electionsJson,
  endTime,
  getElection,
  listElections,
} from '#voting/elections/elections.ts';
import { ensureOffAgenda } from '#voting/elections/issuers.ts';
import { officersTurnout, type TurnoutJson } from '#voting/elections/shown-turnout.ts';
import { getOfficerTurnout } from '#voting/elections/turnout.ts';
import { countCopied, VoidInput } from '#voting/elections/void.ts';
import { syncChangedElections } from '#voting/elections/workspace-link.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';
import { nameOfNone } from '#voting/option-names.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { deleteWithFigures } from './deletion.ts';
import { trialForm } from './trials.ts';

const params = z.object({ id: Id });
/** What follows the creation of an election, by how its voting codes are handed out. */
const NEXT_STEP = { mail: 'created-mail', paper: 'created-paper' } as const satisfies Record<HandOut, string>;
/** The page on which an officer closed it. */
const closeQuery = z.object({ from: z.literal('chair').optional().catch(undefined) });
const newQuery = z.object({ trial: z.string().max(20).optional().catch(undefined) });

/** The elections themselves: list, create, copy, close, delete, and the officers' page of each. */
export function elections(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => zoneName(ctx.config.TIME_ZONE);
  const onClose = onPage(ctx, 'close', 'closed');
  const dangerous = { permission: 'elections:certify', sudo: true } as const;

  const fresh = { config: { permission: 'elections:write' }, schema: { querystring: newQuery } } as const;
  app.get('/admin/elections/new', fresh, async (request, reply) =>
    sendHtml(
      reply,
      request.query.trial !== undefined
        ? trialForm(ctx, request)
        : electionFormPage({
            entered: {},
            errors: [],
            zone: zone(),
            viewer: request.viewer,
            proposed: proposeWindow(ctx),
          }),
    ),
  );

  app.post('/admin/elections/preview', async (request, reply) => {
    const entered = request.entered ?? {};
    const text = (name: string) => enteredText(entered, name);
    const type = BallotTypeInput.safeParse(entered.ballot_type);
    const rules = type.data && rulesOf(type.data).options;
    const names = rules ? linesOf(text(`${rules.kind}s`)) : null;
    if (rules?.noneOfTheAbove && isTicked(entered, 'none_of_the_above')) names?.push(nameOfNone());
    const settings = SettingsInput.safeParse(nestForm(entered).settings ?? {});
    const preview =
      type.data &&
      ballotPreview({
        title: text('title'),
        description: text('description') || null,
        ballot_type: type.data,
        names,
        settings: readSettings(JSON.stringify(settings.data ?? {})),
      });
    const wrong = settings.success ? [] : fieldErrors(settings.error);
    const errors = [
      ...(preview ? [] : [fieldError('ballot_type', 'required')]),
      ...wrong.map((error) => ({ ...error, path: `settings.${error.path}` })),
    ];
    return sendHtml(
      reply,
      electionFormPage({ entered, errors, zone: zone(), preview, viewer: request.viewer }),
    );
  });

  act(app, ctx, {
    both: 'POST /admin/elections',
    body: ElectionInput,
    // `open_now` sets open_at to the present time.
    preValidation: async (request) => {
      const fields = request.body as Record<string, unknown> | undefined;
      if (flag.safeParse(fields?.open_now).data) fields!.open_at = isoTime(ctx.now());
      adaptForm(request);
    },
    refused: (request, { entered, errors }) =>
      electionFormPage({ entered, errors, zone: zone(), viewer: request.viewer }),
    refusedStatuses: [400],
    run: ({ body, actor }) => createElection(ctx, body, actor),
    json: (id) => ({ id, message: 'Election created' }),
    next: (id, { request }) =>
      arrivalPath(
        { id },
        enteredText(request.entered ?? {}, 'next') === 'checks'
          ? 'created-checks'
          : (ownValue<(typeof NEXT_STEP)[HandOut]>(
              NEXT_STEP,
              enteredText(request.entered ?? {}, 'hand_out'),
            ) ?? 'created'),
      ),
  });

  app.get('/admin/elections', { config: { json: true } }, async () => ({
    elections: electionsJson(ctx, listElections(ctx.db)),
  }));

  app.get('/admin/elections/:id', { schema: { params, querystring: pageQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = getElection(ctx.db, request.params.id);
    if (wantsHtml(request)) {
      const page = firstPage(request.query);
      return sendHtml(reply, renderElectionPage(ctx, election, request, askedOf(request.query, page)));
    }
    const { invited, ...codes } = getOfficerTurnout(ctx.db, election.id);
    const { issued: tokens, ...shown } = officersTurnout(ctx.db, election, codes);
    const turnout: TurnoutJson = { tokens, ...shown, invited };
    return { election: electionJson(ctx, election), turnout };
  });

  act(app, ctx, {
    ...dangerous,
    ...onClose,
    both: 'POST /admin/elections/:id/close',
    query: closeQuery,
    run: async ({ params: { id }, actor, request }) => {
      const early = closeAct(getElection(ctx.db, id));
      const closed = await withApproval(ctx, request, early, () => closeElection(ctx, id, actor), {
        tried: (on) => closeElection(on, id, actor),
      });
      await settleClosed(ctx);
      return closed;
    },
    next: (done, sent) =>
      sent.query.from ? `${chairPath(sent.params.id)}?done=closed` : onClose.next(done, sent),
  });

  app.get(
    '/admin/elections/:id/void',
    { config: { permission: 'elections:certify' }, schema: { params } },
    async (request, reply) =>
      sendHtml(reply, renderCloneForm(ctx, request.params.id, request, undefined, true)),
  );

  act(app, ctx, {
    ...dangerous,
    both: 'POST /admin/elections/:id/void',
    summary: 'Close an election as void, and copy it with its electors',
    params,
    body: VoidInput,
    refused: (request, refused) => renderCloneForm(ctx, request.params.id, request, refused, true),
    refusedStatuses: [400, 409],
    run: async ({ params: { id }, body, actor, request }) => {
      const election = getElection(ctx.db, id);
      const sensitive = voidAct(election, body);
      const copy = await withApproval(
        ctx,
        request,
        sensitive,
        async () => voidAndRepeat(ctx, id, body, actor, await liveFigures(ctx, id)),
        { tried: (on) => voidAndRepeat(on, id, body, actor) },
      );
      await settleClosed(ctx);
      return copy;
    },
    json: (copy) => ({ success: true, ...(copy !== null && { id: copy }) }),
    next: (copy, { params: { id } }) =>
      copy === null ? arrivalPath({ id }, 'voided') : copiedPage(ctx, copy, 'repeated'),
  });

  app.get(
    '/admin/elections/:id/clone',
    { config: { permission: 'elections:write' }, schema: { params } },
    async (request, reply) => sendHtml(reply, renderCloneForm(ctx, request.params.id, request)),
  );

  act(app, ctx, {
    both: 'POST /admin/elections/:id/clone',
    params,
    body: CloneInput,
    refused: (request, refused) => renderCloneForm(ctx, request.params.id, request, refused),
    refusedStatuses: [400],
    run: async ({ params: { id }, body, actor, request }) => {
      // A copy made with the form needs a title, because members see it.
      if (isForm(request) && body.title === null) throw badField('title', 'required');
      return cloneElection(ctx, id, body, actor);
    },
    json: (id) => ({ id, message: 'Election copied' }),
    next: (id) => arrivalPath({ id }, 'cloned'),
  });

  act(app, ctx, {
    ...onPage(ctx, 'dates'),
    both: 'PATCH /admin/elections/:id/dates',
    body: DatesInput,
    run: async ({ params: { id }, body, actor, request }) => {
      // After the opening, new dates can extend voting, end it or open it again.
      const election = getElection(ctx.db, id);
      if (election.opened_at !== null) await demand(ctx, request, 'elections:certify');
      const asked = readWindow(ctx, body);
      const status = electionStatus(election, ctx.now());
      const endsOrPauses = status === 'open' && (asked.close_at <= ctx.now() || asked.open_at > ctx.now());
      if (status === 'closed' || endsOrPauses) ensureSudo(ctx, request);
      const sensitive = election.opened_at === null ? undefined : datesAct(ctx, election, asked, body.reason);
      return withApproval(ctx, request, sensitive, () => changeDates(ctx, id, body, actor), {
        tried: (on) => changeDates(on, id, body, actor),
      });
    },
    json: changed,
  });

  act(app, ctx, {
    ...onPage(ctx, textsFormIn),
    both: 'PATCH /admin/elections/:id',
    body: WordingInput,
    run: ({ params: { id }, body, actor }) => changeWording(ctx, id, body, actor),
    json: changed,
  });

  act(app, ctx, {
    ...onPage(ctx, settingsFormIn),
    both: 'PATCH /admin/elections/:id/settings',
    body: SettingsPatch,
    run: ({ params: { id }, body, actor }) => changeSettings(ctx, id, body, actor),
    json: (done, sent) => {
      const answer = changed(done, sent);
      const { issued } = getOfficerTurnout(ctx.db, sent.params.id);
      const listed = sent.body.settings.publish_ballots && listsSignatures(answer.election, issued);
      return { ...answer, ...(listed && { warning: sentence('long_rankings_listed') }) };
    },
  });

  act(app, ctx, {
    ...onPage(ctx, 'attachments'),
    both: 'PATCH /admin/elections/:id/attachments',
    body: AttachmentInput,
    run: ({ params: { id }, body, actor }) => changeAttachment(ctx, id, body, actor),
    json: changed,
  });

  act(app, ctx, {
    ...dangerous,
    ...onPage(ctx, 'delete'),
    both: 'DELETE /admin/elections/:id',
    body: DeletionInput,
    run: async ({ params: { id }, body: { confirm, reason }, actor, request }) => {
      const election = getElection(ctx.db, id);
      if (isForm(request) && confirm !== election.title) throw badField('confirm', 'title_not_typed');
      ensureOffAgenda(ctx.db, election);
      const remove = (figures: ReadonlyMap<string, ShownFigures>) =>
        deleteElection(ctx, id, { reason, figures: figures.get(id) }, actor);
      return withApproval(ctx, request, deletionAct(ctx, election, reason), () =>
        deleteWithFigures(ctx, () => [getElection(ctx.db, id)], remove),
      );
    },
    next: '/admin?done=deleted',
  });

  function changed(_: unknown, { params: { id } }: { params: { id: string } }) {
    return { success: true, election: electionJson(ctx, getElection(ctx.db, id)) };
  }
}

/** The form has text areas with one option or candidate on each line. */
export function adaptForm({ entered, body }: FastifyRequest): void {
  const fields = body as Record<string, unknown> | undefined;
  if (!entered || !fields) return;
  for (const name of ['options', 'candidates'])
    if (typeof fields[name] === 'string') fields[name] = linesOf(fields[name]);
  const type = BallotTypeInput.safeParse(fields.ballot_type);
  // The form keeps what was entered for another type, which is hidden by then.
  const rules = type.success ? rulesOf(type.data).options : undefined;
  for (const name of ['option', 'candidate'] as const)
    if (rules !== undefined && rules?.kind !== name) delete fields[`${name}s`];
  if (rules !== undefined && !rules?.noneOfTheAbove) delete fields.none_of_the_above;
  if (type.success) fields.settings = withoutUnknown(type.data, fieldsOf(fields.settings));
}

/** What follows the end of an election. */
export async function settleClosed(ctx: Context): Promise<void> {
  await settleClosedElections(ctx);
  await deleteClosedLinks(ctx);
  // Not awaited: a workspace that is down must not hold up a close. It never throws.
  void syncChangedElections(ctx);
}

/** Proposes a voting period of a week from the next full hour. */
export function proposeWindow({ now, config: { TIME_ZONE: zone } }: Context) {
  const open = nextFullHour(now(), zone);
  return { open_at: toLocalInput(open, zone), close_at: toLocalInput(addDays(open, 7, zone), zone) };
}

/** A title without the year of the election that it was copied from; unchanged where nothing else would be left. */
const withoutYear = (title: string, year: string): string =>
  title.replace(new RegExp(`[\\s,:–-]*\\(?(?<![\\d/])${year}(?![\\d/])\\)?`), '').trim() || title;

/** Renders the form for a copy, new or refused. @throws 404 */
function renderCloneForm(
  ctx: Context,
  id: string,
  request: FastifyRequest,
  { errors, entered }: Pick<RefusedForm, 'errors' | 'entered'> = { errors: [], entered: {} },
  repeats = false,
) {
  const election = getElection(ctx.db, id);
  const zone = ctx.config.TIME_ZONE;
  const { open_at, close_at } = proposeCopy(ctx, election);
  const { title } = election;
  const fullHour = (at: number) => toLocalInput(nextFullHour(at, zone), zone);
  const proposed = {
    title: repeats ? title : withoutYear(title, localDate(endTime(election), zone).slice(0, 4)),
    open_at: fullHour(open_at),
    close_at: fullHour(close_at),
  };
  return cloneFormPage({
    election,
    entered: { ...proposed, ...entered },
    errors,
    repeats: repeats ? countCopied(ctx.db, election) : undefined,
    zone: zoneName(zone),
    viewer: request.viewer,
  });
}

/** Declaring an election void, and why: before its close that ends voting as closing does. */
function voidAct({ title }: Election, { reason, repeat }: z.output<typeof VoidInput>): SensitiveAct {
  const act = repeat
    ? t('voting-admin.elections.declare_void_repeat', { title })
    : t('voting-admin.elections.declare_void', { title });
  return { kind: 'void', act, details: [{ label: t('voting-admin.elections.reason'), value: reason }] };
}
