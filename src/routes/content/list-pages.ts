import { z } from 'zod';
import type { EventBody } from '#content/events/body.ts';
import { listClosedDates } from '#content/events/closed.ts';
import { findDuplicates } from '#content/events/duplicates.ts';
import { EVENT } from '#content/kinds/event.ts';
import { isDate } from '#content/kinds/fields.ts';
import { saveEnteredPicture } from '#content/pictures/entered.ts';
import type { Body } from '#content/records/kind.ts';
import { listRecords } from '#content/records/reading.ts';
import { createRecord } from '#content/records/records.ts';
import { RECORD_STATES, type RecordJson } from '#content/records/rows.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { newRecordPage } from '#views/content/editor.ts';
import { recordsPage } from '#views/content/list.ts';
import { getEditor } from './editors.ts';
import { type ContentPages, changedBy, editorProps } from './page-props.ts';

const ofKind = z.object({ kind: z.string() });
const AnyForm = z.looseObject({ publish: z.string().optional(), check: z.string().optional() });

/** Invalid values are ignored. */
const ListQuery = z.object({
  q: optionalText(100).catch(null),
  state: z.enum(RECORD_STATES).optional().catch(undefined),
  page: wholeNumber(1, 1_000_000).default(1).catch(1),
});
const NewQuery = z.object({ date: z.string().refine(isDate).optional().catch(undefined) });

const A_PAGE = 50;

/** The lists of records, and the forms for new ones. */
export function listPages(app: App, made: ContentPages): void {
  const { ctx, display } = made;

  app.get(
    '/admin/content/:kind',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'The records of a kind', params: ofKind, querystring: ListQuery },
    },
    async (request, reply) => {
      const { words, kind } = getEditor(request.params.kind);
      const { q, state, page } = request.query;
      const offset = (page - 1) * A_PAGE;
      const { items, total } = listRecords(ctx, kind, { q, state, limit: A_PAGE, offset });
      const to = (number: number) =>
        `/admin/content/${kind.name}?${new URLSearchParams({ q: q ?? '', state: state ?? '', page: String(number) })}`;
      const duplicates =
        kind.name === EVENT.name && state !== 'removed'
          ? findDuplicates(ctx, items as RecordJson<EventBody>[], display.listWorkspaceEvents())
          : undefined;
      const isOnClosedDay = (body: Body) =>
        duplicates !== undefined && listClosedDates(ctx, body as EventBody).length > 0;
      const records = items.map((item) => ({
        ...item,
        double: duplicates?.get(item.id),
        closed: isOnClosedDay(item.body),
        title: kind.title(item.body),
        changed: changedBy(ctx, item),
      }));
      const pages = {
        from: offset + 1,
        total,
        previous: page > 1 ? to(page - 1) : undefined,
        next: offset + items.length < total && items.length > 0 ? to(page + 1) : undefined,
      };
      const filter = { q: q ?? '', state: state ?? '' };
      return sendHtml(reply, recordsPage({ identity: request.identity, words, records, filter, pages }));
    },
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

  app.post(
    '/admin/content/:kind',
    {
      config: {
        permission: 'content:write',
        takesPicture: true,
        ...refusedOn((request, refused) => {
          const editor = getEditor((request.params as z.output<typeof ofKind>).kind);
          return newRecordPage({ ...editorProps(made, request, editor, refused.entered), refused });
        }),
      },
      schema: { hide: true, params: ofKind, body: AnyForm },
    },
    async (request, reply) => {
      const editor = getEditor(request.params.kind);
      const { kind, form } = editor;
      const publish = request.body.publish === 'true';
      const actor = actorOf(request, ctx.now);
      await saveEnteredPicture(ctx, request, actor);
      const input = form.fromForm(request.entered ?? {}, undefined);
      if (request.body.check !== undefined && editor.preview) {
        const panel = editor.preview(ctx, input);
        const values = request.entered ?? {};
        return sendHtml(reply, newRecordPage({ ...editorProps(made, request, editor, values), panel }));
      }
      const { id } = await createRecord(ctx, kind, { input, publish, prefix: '' }, actor);
      return reply.redirect(`/admin/content/${kind.name}/${id}?done=${publish ? 'published' : 'saved'}`, 303);
    },
  );
}
