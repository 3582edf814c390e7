import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findConflict, settle } from '#content/conflicts.ts';
import { describeValue } from '#content/describe.ts';
import type { ContentDisplay } from '#content/display.ts';
import type { EventBody } from '#content/events/body.ts';
import { listClosedDates } from '#content/events/closed.ts';
import { EVENT } from '#content/events/kind.ts';
import { ticked, typed } from '#content/forms/form.ts';
import { findDuplicates } from '#content/ical/sources/duplicates.ts';
import { MENU_ITEM, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { getKind } from '#content/kinds.ts';
import { listTwins } from '#content/menu/items.ts';
import { saveEnteredPicture } from '#content/pictures/entered.ts';
import { listShownPictures } from '#content/pictures/shown.ts';
import { isDate } from '#content/records/fields.ts';
import type { Body } from '#content/records/kind.ts';
import { getRecord, getVersion, listRecords, RecordsQuery } from '#content/records/reading.ts';
import {
  changeRecord,
  createRecord,
  publishRecord,
  removeRecord,
  restoreRecord,
  undoPublication,
} from '#content/records/records.ts';
import { RECORD_STATES, type RecordJson } from '#content/records/rows.ts';
import { formOnward } from '#kernel/access/path-onward.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendFramed, sendFraming, sendHtml } from '#kernel/http/pages.ts';
import { flag, listOf, optionalText, ROWS_A_PAGE, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';
import { listMenuEffects } from '#pub/menu/effects.ts';
import { conflictPage } from '#views/content/conflict.ts';
import { newRecordPage, type RecordPart, recordPage } from '#views/content/editor.ts';
import { recordsPage } from '#views/content/list.ts';
import { slidePreview } from '#views/pub/tv/tv.ts';
import { getEditor } from './editors.ts';
import {
  type ContentPages,
  cellsOf,
  changedBy,
  editorProps,
  listedAt,
  orderOf,
  whenOf,
} from './page-props.ts';

const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);
const body = z.record(z.string(), z.unknown(), coded('not_object'));
const ofKind = z.object({ kind: z.string() });
const params = z.object({ kind: z.string(), id: Id });
type Opened = z.output<typeof params>;

/** What was asked and is confirmed: see `Kind.questions`. */
const confirm = listOf(z.string().max(40), 10).optional();
const NewRecord = z.object({ body, publish: flag.optional(), confirm });
const RecordPatch = z.object({ version, body: body.default({}), publish: flag.optional(), confirm });
const AtVersion = z.object({ version: version.optional() });
const SettleForm = z.looseObject({ version, changes: z.string(), publish: z.string().optional() });

/** Invalid values are ignored. */
const ListQuery = z.object({
  q: optionalText(100).catch(null),
  state: z.enum(RECORD_STATES).optional().catch(undefined),
  page: wholeNumber(1, 1_000_000).default(1).catch(1),
});
const NewQuery = z.object({ date: z.string().refine(isDate).optional().catch(undefined) });

const DONE: Record<string, { sentence: Words; undo: boolean }> = {
  saved: { sentence: t('content-admin.records.saved_draft'), undo: false },
  published: { sentence: t('content-admin.records.published'), undo: true },
  merged: { sentence: t('content-admin.records.saved_what_somebody_else_changed'), undo: false },
  both: { sentence: t('content-admin.records.published_what_somebody_else_changed'), undo: true },
  copied: {
    sentence: t('content-admin.records.copied_draft_once_published_entry'),
    undo: false,
  },
  undone: { sentence: t('content-admin.records.publication_undone'), undo: true },
  restored: { sentence: t('content-admin.records.restored'), undo: false },
};

/** Acts on a record that need only its version, and the notice after each. */
const STEPS = {
  publish: [publishRecord, 'Show the newest version', 'published'],
  undo: [undoPublication, 'Take the last publication back', 'undone'],
  restore: [restoreRecord, 'Go back to a version, or bring a removed record back', 'restored'],
  remove: [removeRecord, 'Take a record away; it can be restored for 30 days', 'removed'],
} as const;

/** The records of the club's own content: their lists, their history, and the acts on them. */
export function records(app: App, made: ContentPages): void {
  const { ctx } = made;

  app.get(
    '/api/admin/content/:kind',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'The records of a kind', params: ofKind, querystring: RecordsQuery },
    },
    async ({ params: { kind }, query }) => listRecords(ctx, getKind(kind), query),
  );

  app.get(
    '/admin/content/:kind',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'The records of a kind', params: ofKind, querystring: ListQuery },
    },
    async (request, reply) => sendHtml(reply, renderList(made, request, request.params.kind, request.query)),
  );

  app.get(
    '/admin/content/:kind/new',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'The form for a new record', params: ofKind, querystring: NewQuery },
    },
    async (request, reply) => {
      const editor = getEditor(request.params.kind);
      const today = localDate(ctx.now(), ctx.config.TIME_ZONE);
      const values = editor.begin?.({ today, asked: request.query.date ?? '' }) ?? {};
      return sendHtml(reply, newRecordPage(editorProps(made, request, editor, values)));
    },
  );

  act(app, ctx, {
    api: 'POST /api/admin/content/:kind',
    form: 'POST /admin/content/:kind',
    summary: 'A new record',
    permission: 'content:write',
    params: ofKind,
    body: NewRecord,
    fromForm: async (fields, { params: { kind }, actor, request }) => {
      await saveEnteredPicture(ctx, request, actor);
      return {
        body: getEditor(kind).form.fromForm(request.entered ?? {}, undefined),
        publish: isPublish(fields),
        confirm: ticked(fields, 'confirm'),
      };
    },
    config: { takesPicture: true },
    refused: (request, refused) => {
      const props = editorProps(made, request, getEditor(request.params.kind), refused.entered);
      return newRecordPage({ ...props, refused });
    },
    run: async ({ params: { kind }, body: { body: input, publish = false, confirm }, actor, request }) =>
      asksForPreview(request, kind)
        ? undefined
        : createRecord(ctx, getKind(kind), { input, publish, confirm, prefix: prefixOf(request) }, actor),
    json: (created) => ({ ok: true, ...created }),
    next: (created, { params: { kind }, body: { body: input, publish }, request }) => {
      const onward = formOnward(request.entered);
      if (created && onward) return onward;
      if (created) return `/admin/content/${kind}/${created.id}?done=${publish ? 'published' : 'saved'}`;
      const editor = getEditor(kind);
      const props = editorProps(made, request, editor, request.entered ?? {});
      return newRecordPage({ ...props, panel: editor.preview?.(ctx, input) });
    },
  });

  app.get(
    '/api/admin/content/:kind/:id',
    { config: { permission: 'content:read' }, schema: { summary: 'A record with its history', params } },
    async ({ params: { kind, id } }) => {
      const shown = made.display.listShown(kind, id);
      return { ...getRecord(ctx, getKind(kind), id), ...(shown.length > 0 && { shown }) };
    },
  );

  app.get(
    '/admin/content/:kind/:id',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'A record, with its history', params, querystring: doneQuery },
    },
    async (request, reply) => sendFraming(reply, renderRecord(made, request, { done: request.query.done })),
  );

  for (const part of ['dates', 'history'] as const)
    app.get(
      `/admin/content/:kind/:id/${part}`,
      {
        config: { permission: 'content:read' },
        schema: { summary: `A record: its ${part}`, params },
      },
      async (request, reply) => sendHtml(reply, renderRecord(made, request, { part })),
    );

  act(app, ctx, {
    api: 'PATCH /api/admin/content/:kind/:id',
    form: 'POST /admin/content/:kind/:id',
    summary: 'Change fields of a record',
    permission: 'content:write',
    params,
    body: RecordPatch,
    fromForm: async (fields, { params, actor, request }) => {
      await saveEnteredPicture(ctx, request, actor);
      return {
        version: fields.version,
        body: readForm(made, request, params),
        publish: isPublish(fields),
        confirm: ticked(fields, 'confirm'),
      };
    },
    config: { takesPicture: true },
    refused: (request, refused) =>
      renderRefused(made, request, refused, {
        input: () => readForm(made, request, request.params),
        isForm: true,
      }),
    run: async ({
      params: { kind, id },
      body: { body: input, publish = false, ...given },
      actor,
      request,
    }) =>
      asksForPreview(request, kind)
        ? undefined
        : changeRecord(
            ctx,
            getKind(kind),
            id,
            { input, publish, prefix: prefixOf(request), ...given },
            actor,
          ),
    json: (changed) => ({ ok: true, ...changed }),
    next: (changed, { params: { kind, id }, body: { body: input, publish }, request, reply }) => {
      if (changed) return afterChange(kind, id, changed.merged, publish);
      const panel = getEditor(kind).preview?.(ctx, input, id);
      return sendFraming(reply, renderRecord(made, request, { panel, entered: request.entered }));
    },
  });

  const chosen = (entered: Readonly<Record<string, unknown>>): Body =>
    settle(typed(entered, 'changes'), (field) => typed(entered, `take.${field}`) === 'yours');

  act(app, ctx, {
    form: 'POST /admin/content/:kind/:id/settle',
    permission: 'content:write',
    params,
    body: SettleForm,
    refused: (request, refused) =>
      renderRefused(made, request, refused, { input: () => chosen(refused.entered) }),
    run: ({ params: { kind, id }, body, actor }) => {
      const given = { input: chosen(body), publish: isPublish(body), prefix: '', version: body.version };
      return changeRecord(ctx, getKind(kind), id, given, actor);
    },
    next: ({ merged }, { params: { kind, id }, body }) => afterChange(kind, id, merged, isPublish(body)),
  });

  for (const [step, [take, summary, done]] of Object.entries(STEPS))
    act(app, ctx, {
      api: `POST /api/admin/content/:kind/:id/${step}`,
      form: `POST /admin/content/:kind/:id/${step}`,
      summary,
      permission: 'content:write',
      params,
      body: AtVersion,
      refused: (request, refused) => renderRecord(made, request, { refused }),
      run: ({ params: { kind, id }, body, actor }) => take(ctx, getKind(kind), id, body.version, actor),
      json: (changed) => ({ ok: true, ...changed }),
      next: (_, { params: { kind, id } }) => `/admin/content/${kind}/${id}?done=${done}`,
    });

  app.get(
    '/admin/content/preview/:kind/:id/:version',
    {
      config: { permission: 'content:read' },
      schema: {
        summary: 'A slide as the screen shows it',
        params: params.extend({ version: version.catch(0) }),
      },
    },
    async (request, reply) => {
      const kind = getKind(request.params.kind);
      const { id } = getRecord(ctx, kind, request.params.id);
      const shown = getVersion(ctx, kind, id, request.params.version);
      const slide = made.display.previewSlide(kind.name, id, shown);
      if (!slide) throw notFound('not_slide');
      return sendFramed(reply, slidePreview({ zone: ctx.config.TIME_ZONE, slide }));
    },
  );
}

const isPublish = (fields: Readonly<Record<string, unknown>>): boolean => typed(fields, 'publish') === 'true';

/** Whether a form was sent by the button that only shows what its fields mean. */
const asksForPreview = ({ entered }: FastifyRequest, kind: string): boolean =>
  entered?.check !== undefined && getEditor(kind).preview !== undefined;

/** What the names of fields begin with in errors: a form has no `body`. */
const prefixOf = ({ entered }: FastifyRequest): string => (entered ? '' : 'body.');

function afterChange(kind: string, id: string, merged: boolean, publish = false): string {
  const done = publish ? (merged ? 'both' : 'published') : merged ? 'merged' : 'saved';
  return `/admin/content/${kind}/${id}?done=${done}`;
}

/** The body of a form; the version that it was opened with supplies what the form has no fields for. */
function readForm({ ctx }: ContentPages, { entered = {} }: FastifyRequest, { kind: name, id }: Opened): Body {
  const { kind, form } = getEditor(name);
  const { version: newest, history } = getRecord(ctx, kind, id);
  const opened = Number(typed(entered, 'version'));
  const isKept = history.some((line) => line.version === opened);
  return form.fromForm(entered, getVersion(ctx, kind, id, isKept ? opened : newest));
}

function renderList(
  { ctx, display }: ContentPages,
  { identity }: FastifyRequest,
  name: string,
  { q, state, page }: z.output<typeof ListQuery>,
): Html {
  const { words, kind, ways } = getEditor(name);
  const offset = (page - 1) * ROWS_A_PAGE;
  const about = listedAt({ ctx, display }, kind);
  const all = listRecords(ctx, kind, { q, state, limit: 1_000_000 }, orderOf(kind, about)).items;
  const [items, total] = [all.slice(offset, offset + ROWS_A_PAGE), all.length];
  // What is left out by a filter would be jumped over.
  const groupOf = q || state ? undefined : kind.ordered?.group;
  const isAlike = (one: RecordJson | undefined, other: RecordJson | undefined) =>
    one !== undefined && other !== undefined && groupOf?.(one.body) === groupOf?.(other.body);
  const href = (number: number) =>
    `/admin/content/${kind.name}?${new URLSearchParams({ q: q ?? '', state: state ?? '', page: String(number) })}`;
  const duplicates =
    kind.name === EVENT.name && state !== 'removed'
      ? findDuplicates(ctx, items as RecordJson<EventBody>[], display.listWorkspaceEvents())
      : undefined;
  const twins = new Set(
    kind.name === MENU_ITEM.name ? listTwins(all as RecordJson<MenuItemBody>[]).map(({ id }) => id) : [],
  );
  const isOnClosedDay = (body: Body) =>
    duplicates !== undefined && listClosedDates(ctx, body as EventBody).length > 0;
  const records = items.map((item, at) => ({
    ...item,
    double: twins.has(item.id) ? t('content-admin.records.twice_section') : duplicates?.get(item.id),
    closed: isOnClosedDay(item.body),
    cells: cellsOf(kind, item.body, about),
    ...(groupOf && {
      moves: { up: isAlike(all[offset + at - 1], item), down: isAlike(all[offset + at + 1], item) },
    }),
  }));
  const pages = { page, pageSize: ROWS_A_PAGE, total, href };
  const columns = kind.columns.map(({ label }) => label);
  return recordsPage({
    identity,
    words,
    columns,
    records,
    filter: { q: q ?? '', state: state ?? '' },
    pages,
    ways,
  });
}

/** The page of a record. @param entered what a form contained, in place of the stored values */
function renderRecord(
  made: ContentPages,
  request: FastifyRequest,
  {
    part = '',
    refused,
    done,
    panel,
    entered,
  }: {
    part?: RecordPart;
    refused?: RefusedForm;
    done?: string | undefined;
    panel?: Html | undefined;
    entered?: RefusedForm['entered'] | undefined;
  },
): Html {
  const { ctx, display } = made;
  const { kind: name, id } = request.params as Opened;
  const editor = getEditor(name);
  const { kind, form } = editor;
  const record = getRecord(ctx, kind, id);
  const isRemoved = record.state === 'removed';
  const shown = display.listShown(name, id);
  return recordPage({
    ...editorProps(made, request, editor, entered ?? form.toForm(record.body), record.body),
    title: kind.title(record.body),
    part,
    panel: panel ?? editor.panel?.(ctx, id),
    dates: isRemoved ? undefined : editor.dates?.(ctx, id),
    record: {
      id,
      version: record.version,
      state: record.state,
      changed: changedBy(ctx, record),
      history: record.history.map((line, index) => ({
        ...(shown.length > 0 && {
          screens: shownBy(shown, record.history.slice(0, index + 1), ctx.config.TIME_ZONE),
        }),
        version: line.version,
        by: line.by,
        reason: line.reason,
        fields: line.fields,
        when: whenOf(ctx, line.at),
        shown: line.version === record.published_version && !isRemoved,
        wasShown: line.published_at !== null,
        newest: line.version === record.version,
      })),
    },
    opened: (entered && Number(typed(entered, 'version'))) || undefined,
    refused,
    done: ownValue(DONE, done),
    effects: kind.isOnMenu && record.published_version !== null ? listMenuEffects(ctx, kind.name, id) : [],
    preview:
      !refused && !isRemoved && display.previewSlide(kind.name, id, record.body)
        ? `/admin/content/preview/${kind.name}/${encodeURIComponent(id)}/${record.version}`
        : undefined,
  });
}

/**
 * How often each screen showed the version that is the last of these, the newest first: from the day of its publication
 * until that of the next one; of several on one day it is the newest.
 */
function shownBy(
  shown: ReturnType<ContentDisplay['listShown']>,
  versions: readonly { published_at: string | null }[],
  zone: string,
): { screen: string; times: number }[] {
  const dayOf = ({ published_at }: { published_at: string | null }) =>
    published_at === null ? undefined : localDate(Date.parse(published_at), zone);
  const from = dayOf(versions.at(-1)!);
  if (from === undefined) return [];
  const until =
    versions
      .slice(0, -1)
      .map(dayOf)
      .findLast((day) => day !== undefined) ?? '9999';
  const counts = shown.filter(({ day }) => day >= from && day < until);
  const byScreen = Map.groupBy(counts, ({ screen }) => screen);
  return [...byScreen].map(([screen, rows]) => ({
    screen,
    times: rows.reduce((sum, { times }) => sum + times, 0),
  }));
}

/** The conflict page if two people changed the same field, else the page of the form. */
function renderRefused(
  made: ContentPages,
  request: FastifyRequest,
  refused: RefusedForm,
  { input, isForm = false }: { input: () => Body; isForm?: boolean },
): Html {
  const { ctx, display } = made;
  const { kind: name, id } = request.params as Opened;
  const editor = getEditor(name);
  const opened = Number(typed(refused.entered, 'version'));
  const conflict = refused.status === 409 ? findConflict(ctx, editor.kind, id, opened, input()) : undefined;
  if (!conflict)
    return renderRecord(made, request, { refused, entered: isForm ? refused.entered : undefined });
  const names = new Map([
    ...display.listTenders().map(({ id: tender, name: called }) => [tender, called] as const),
    ...[...listShownPictures(ctx)].map(
      ([picture, { alt }]) => [picture, alt || t('content-admin.records.picture')] as const,
    ),
  ]);
  return conflictPage({
    ...editorProps(made, request, editor, {}),
    id,
    version: conflict.version,
    who: conflict.who,
    changes: conflict.changes,
    title: editor.kind.title(getRecord(ctx, editor.kind, id).body),
    publish: isPublish(refused.entered),
    conflicts: conflict.fields.map(({ field, theirs, yours }) => ({
      field,
      theirs: describeValue(theirs, names),
      yours: describeValue(yours, names),
    })),
  });
}
