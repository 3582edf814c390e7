import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, actsOn, doneQuery, OtherAnswer } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { findPresser } from '#meetings/item-acts.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import {
  BatchInput,
  ControlInput,
  changeControl,
  createBatch,
  DropInput,
  dropBatch,
  type FoundBatch,
  getBatch,
  JoinInput,
  type PressedBatch,
} from '#meetings/paper-count/batches.ts';
import {
  changeOwnEntry,
  EntriesInput,
  enterPapers,
  findTeller,
  listEntries,
  OwnEntryInput,
} from '#meetings/paper-count/entries.ts';
import { ensureNoTellersAlone, isLate, joinBatch } from '#meetings/paper-count/joining.ts';
import { keysOfPaper, linesOfEntries, readLines, readPaperKeys } from '#meetings/paper-count/lines.ts';
import { batchJson, ownEntries, standsIn } from '#meetings/paper-count/shown.ts';
import { ensureAlarmsNoted } from '#meetings/room/declaring.ts';
import { itemWithResult } from '#meetings/room/results.ts';
import { findAsked, type SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { batchPage, entryPage, type PaperQuestion } from '#views/meetings/admin/paper-count/batch.ts';
import { handlingOf } from '#voting/ballots/ballot-types.ts';
import { readSettings } from '#voting/election-settings.ts';
import { getElection, listOptions } from '#voting/elections/elections.ts';
import { ofItem, renderPapers } from './paper-count.ts';

const ofBatch = ofItem.extend({ batch: Id });
const ofEntry = ofBatch.extend({ teller: z.enum(['1', '2']) });
type OfBatch = z.output<typeof ofBatch>;

const BATCHES = '/admin/meetings/:id/items/:item/batches';
const BATCH = `${BATCHES}/:batch`;

/** The bodies of entries hold whole batches. */
const LARGEST = 1024 * 1024;

const at = ({ id, item, batch }: OfBatch): string => `/admin/meetings/${id}/items/${item}/batches/${batch}`;

const keysOfPath = ({ id, item, batch }: OfBatch) => ({ meetingId: id, itemId: item, batchId: batch });

const pressed = (
  ctx: Context,
  { params, request }: { params: OfBatch; request: FastifyRequest },
): PressedBatch => ({ ...keysOfPath(params), actor: actorOf(request, ctx.now) });

/** Batches of papers, which two people enter, each without the other. */
export function batches(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'meetings:count' } as const;
  const json = (params: OfBatch, request: FastifyRequest) =>
    shownBatch(ctx, getBatch(ctx.db, keysOfPath(params)), request);

  const batch = actsOn(app, ctx, {
    at: BATCH,
    params: ofBatch,
    page: at,
    refused: (request, refused) => renderBatch(ctx, request, request.params, { refused }),
    json: ({ params, request }) => json(params, request),
    said: {
      made: t('meetings-admin.done.batches_made'),
      entered: t('meetings-admin.done.batches_entered'),
      asked: t('meetings-admin.done.batches_asked'),
      waits: t('meetings-admin.done.batches_waits'),
    },
  });

  act(app, ctx, {
    both: `POST ${BATCHES}`,
    summary: 'Make a batch of papers, with its control totals',
    params: ofItem,
    body: BatchInput,
    fromForm: readControl,
    refused: (request, refused) => renderPapers(ctx, request, request.params, { refused, at: 'batch' }),
    run: ({ params: { id, item }, body, actor }) =>
      createBatch(ctx, { meetingId: id, itemId: item, actor }, body),
    json: (id) => ({ id }),
    next: (batch, { params }) => `${at({ ...params, batch })}?done=made`,
  });

  app.get(BATCH, { config, schema: { params: ofBatch, querystring: doneQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const { params, query } = request;
    if (!wantsHtml(request)) return json(params, request);
    return sendHtml(reply, renderBatch(ctx, request, params, { done: batch.said(query.done) }));
  });

  app.get(`${BATCH}/entries/:teller`, { config, schema: { params: ofEntry } }, async (request, reply) =>
    sendHtml(reply, renderEntry(ctx, request, request.params)),
  );

  batch.add('PATCH', 'Correct the control totals of a batch', {
    body: ControlInput,
    fromForm: readControl,
    run: async (sent) => {
      const waits = await changeControl(ctx, pressed(ctx, sent), sent.body);
      const what = 'Change the control totals';
      return waits
        ? new OtherAnswer(
            202,
            { ...json(sent.params, sent.request), waiting: true, what },
            () => `${at(sent.params)}?done=asked`,
          )
        : undefined;
    },
    done: ['control', t('meetings-admin.done.other_count_saved')],
  });

  batch.add('DELETE', 'Drop a batch that has not joined', {
    body: DropInput,
    run: (sent) => dropBatch(ctx, pressed(ctx, sent), sent.body),
    json: () => ({ success: true }),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}/items/${item}/papers?done=removed`,
  });

  act(app, ctx, {
    both: `PUT ${BATCH}/entries/:teller`,
    summary: 'Enter the papers of a batch, as one of two tellers',
    params: ofEntry,
    body: EntriesInput,
    bodyLimit: LARGEST,
    fromForm: ({ lines, reason }, { params }) => ({
      papers: readLines(ctx.db, itemsOf(ctx, params), typeof lines === 'string' ? lines : ''),
      reason,
    }),
    refused: (request, refused) => renderEntry(ctx, request, request.params, refused),
    run: (sent) => enterPapers(ctx, pressed(ctx, sent), sent.params.teller === '1' ? 1 : 2, sent.body),
    json: (_, { params, request }) => json(params, request),
    next: (_, { params }) => `${at(params)}?done=entered`,
  });

  batch.add('PATCH /entries/mine', 'Correct the own entry of papers on which the tellers differ', {
    body: OwnEntryInput,
    bodyLimit: LARGEST,
    fromForm: (fields, { params }) => readCorrected(ctx, params, fields),
    run: (sent) => changeOwnEntry(ctx, pressed(ctx, sent), sent.body),
    done: ['corrected', t('meetings-admin.done.your_entry_corrected')],
  });

  batch.add('POST /join', 'Let the ballots of a batch join the others', {
    permission: 'elections:certify',
    body: JoinInput,
    run: (sent) => {
      const { params, body, request } = sent;
      const act = pressed(ctx, sent);
      const late = lateAct(ctx, params, body.reason);
      return withApproval(
        ctx,
        request,
        late,
        (two) => joinBatch(ctx, act, body, { two, ensureNoted: ensureAlarmsNoted }),
        {
          tried: (on, two) => joinBatch(on, act, body, { two, ensureNoted: ensureAlarmsNoted }),
          page: () => `${at(params)}?done=waits`,
          json: () => {
            const shows = late?.details?.find(({ label }) => label === SHOWS);
            return shows ? { warning: inEnglish(shows.value) } : {};
          },
        },
      );
    },
    json: async (_, { params, request }) => ({
      batch: json(params, request),
      item: await itemWithResult(ctx, getItem(ctx.db, params.item, params.id), request.granted),
    }),
    done: ['joined', t('meetings-admin.done.ballots_joined_others')],
  });
}

/** A batch as far as this person may see it. */
const shownBatch = (ctx: Context, found: FoundBatch, request: FastifyRequest) =>
  batchJson(
    ctx.db,
    found,
    request.granted?.has('elections:certify') === true ||
      findTeller(found.batch, findPresser(actorOf(request, ctx.now))) !== undefined,
  );

const itemsOf = (ctx: Context, params: OfBatch) => getBatch(ctx.db, keysOfPath(params)).items;

/** An empty field of a form is none. */
const readControl = (fields: Record<string, unknown>) => ({
  ...fields,
  control: Object.fromEntries(
    Object.entries(fieldsOf(fields.control)).map(([name, value]) => [name, value === '' ? '0' : value]),
  ),
});

/** A form has `keys.n7` with what is on paper 7, or `remove.n7` where there is no such paper. */
function readCorrected(ctx: Context, params: OfBatch, fields: Record<string, unknown>) {
  const numbered = (value: unknown) =>
    Object.entries(fieldsOf(value)).flatMap(([name, text]) =>
      typeof text === 'string' && text.trim() !== '' ? [[Number(name.slice(1)), text.trim()] as const] : [],
    );
  const items = itemsOf(ctx, params);
  const removed = numbered(fields.remove).map(([number]) => ({ number, remove: true }));
  const typed = numbered(fields.keys).filter(([own]) => removed.every(({ number }) => number !== own));
  const read = typed.map(([number, keys]) => ({ number, ...readPaperKeys(ctx.db, items, number, keys) }));
  return { papers: [...removed, ...read] };
}

const SHOWS = t('meetings-admin.acts.what_it_shows');
/** With fewer papers both results together tell votes. */
const FEW = 5;

/** Papers that correct an announced result, for the second person; undefined for those that come in time. */
function lateAct(ctx: Context, params: OfBatch, sent: string | null): SensitiveAct | undefined {
  const { batch, items } = getBatch(ctx.db, keysOfPath(params));
  if (batch.state === 'joined' || !isLate(items)) return undefined;
  const papers = batch.valid + batch.blank + batch.invalid;
  const titles = commas(items.map(({ title }) => t('common.quoted', { text: title }))) ?? '';
  const shows = papers < FEW ? t('meetings-admin.acts.whose_votes', { n: papers }) : undefined;
  return {
    kind: 'late_papers',
    act: t('meetings-admin.acts.late_papers', { n: papers, titles }),
    details: [
      { label: t('meetings-admin.acts.reason'), value: sent ?? batch.reason ?? '' },
      ...(shows === undefined ? [] : [{ label: SHOWS, value: shows }]),
    ],
    ensureTwo: (...ids) => ensureNoTellersAlone(ctx, batch, ids),
  };
}

/** The questions on the papers of a batch. */
const questionsOf = (ctx: Context, { items }: FoundBatch): PaperQuestion[] =>
  items.map(({ title, election_id }) => {
    const election = getElection(ctx.db, election_id ?? '');
    const names = listOptions(ctx.db, election.id).map(({ name }) => name);
    const { onPaper } = handlingOf(election.ballot_type);
    const isSingle = readSettings(election.settings).poll_response_type === 'single';
    return { title, marks: onPaper, names, single: onPaper === 'crosses' && isSingle };
  });

/** The page of a batch. @throws 404 */
function renderBatch(
  ctx: Context,
  request: FastifyRequest,
  params: OfBatch,
  { done, refused }: { done?: Words | string | undefined; refused?: RefusedForm },
): Html {
  const found = getBatch(ctx.db, keysOfPath(params));
  const item = getItem(ctx.db, params.item, params.id);
  const by = findPresser(actorOf(request, ctx.now));
  const teller = findTeller(found.batch, by);
  const own = teller === undefined ? [] : listEntries(ctx.db, found.batch.id, teller);
  const asked = findAsked(ctx, 'late_papers', `${at(params)}/join`);
  return batchPage({
    meeting: { id: params.id, title: getMeeting(ctx.db, params.id).title },
    item,
    batch: shownBatch(ctx, found, request),
    isLate: isLate(found.items),
    isTeller: teller !== undefined,
    keys: new Map(
      [...Map.groupBy(own, ({ number }) => number)].map(([number, parts]) => [
        number,
        keysOfPaper(ctx.db, found.items, parts),
      ]),
    ),
    questions: questionsOf(ctx, found),
    asked: asked && { by: asked.by, isOwn: asked.asked_by === by },
    done,
    refused,
    viewer: request.viewer,
  });
}

/** The page on which a teller enters a batch. @throws 404 */
function renderEntry(
  ctx: Context,
  request: FastifyRequest,
  params: z.output<typeof ofEntry>,
  refused?: RefusedForm,
): Html {
  const found = getBatch(ctx.db, keysOfPath(params));
  const teller = params.teller === '1' ? 1 : 2;
  const by = findPresser(actorOf(request, ctx.now));
  return entryPage({
    meeting: { id: params.id, title: getMeeting(ctx.db, params.id).title },
    item: getItem(ctx.db, params.item, params.id),
    batch: shownBatch(ctx, found, request),
    teller,
    lines: linesOfEntries(ctx.db, found.items, ownEntries(ctx.db, found, teller, by)),
    questions: questionsOf(ctx, found),
    stands: by === undefined ? [] : standsIn(ctx.db, found.items, by).map(({ title }) => title),
    isOther: by !== undefined && found.batch[teller === 1 ? 'teller_2_by' : 'teller_1_by'] === by,
    refused,
    viewer: request.viewer,
  });
}
