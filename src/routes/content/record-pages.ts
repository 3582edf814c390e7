import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findConflict, settle } from '#content/conflicts.ts';
import { describeValue } from '#content/describe.ts';
import { typed } from '#content/forms/form.ts';
import { saveEnteredPicture } from '#content/pictures/entered.ts';
import { listShownPictures } from '#content/pictures/shown.ts';
import type { Body } from '#content/records/kind.ts';
import { getRecord, getVersion } from '#content/records/reading.ts';
import {
  changeRecord,
  publishRecord,
  removeRecord,
  restoreRecord,
  undoPublication,
} from '#content/records/records.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendFraming } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { conflictPage } from '#views/content/conflict.ts';
import { recordPage } from '#views/content/editor.ts';
import { type Editor, getEditor } from './editors.ts';
import { type ContentPages, changedBy, editorProps, whenOf } from './page-props.ts';

const params = z.object({ kind: z.string(), id: Id });
const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);
const VersionedForm = z.looseObject({
  version,
  publish: z.string().optional(),
  check: z.string().optional(),
});
const AtVersion = z.object({ version: version.optional() });
const SettleForm = z.looseObject({ version, changes: z.string(), publish: z.string().optional() });
const DoneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });

const DONE: Record<string, { sentence: string; undo: boolean }> = {
  saved: { sentence: 'Saved as a draft.', undo: false },
  published: { sentence: 'Published.', undo: true },
  merged: { sentence: 'Saved. What somebody else changed meanwhile is kept.', undo: false },
  both: { sentence: 'Published, with what somebody else changed meanwhile.', undo: true },
  copied: {
    sentence: 'Copied as a draft. Once it is published, the entry of the calendar is left out.',
    undo: false,
  },
  undone: { sentence: 'Publication undone.', undo: true },
  restored: { sentence: 'Restored.', undo: false },
};

/** The buttons of a record, and the notice after each. */
const STEPS = {
  publish: [publishRecord, 'published'],
  undo: [undoPublication, 'undone'],
  restore: [restoreRecord, 'restored'],
  remove: [removeRecord, 'removed'],
} as const;

type Opened = z.output<typeof params>;

/** The page of a record, and its forms. */
export function recordPages(app: App, made: ContentPages): void {
  const { ctx, display } = made;

  const renderRecord = (
    request: FastifyRequest,
    more: {
      refused?: RefusedForm;
      isForm?: boolean;
      done?: string | undefined;
      checked?: { panel: Html; values: RefusedForm['entered'] };
    },
  ): Html => {
    const { kind: name, id } = request.params as Opened;
    const editor = getEditor(name);
    const { kind, form } = editor;
    const record = getRecord(ctx, kind, id);
    const { refused } = more;
    const entered = more.checked?.values ?? (more.isForm ? refused?.entered : undefined);
    return recordPage({
      ...editorProps(made, request, editor, entered ?? form.toForm(record.body), record.body),
      title: kind.title(record.body),
      panel: more.checked?.panel ?? editor.panel?.(ctx, id),
      record: {
        id,
        version: record.version,
        state: record.state,
        changed: changedBy(ctx, record),
        history: record.history.map((line) => ({
          version: line.version,
          by: line.by,
          reason: line.reason,
          fields: line.fields,
          when: whenOf(ctx, line.at),
          shown: line.version === record.published_version && record.state !== 'removed',
          wasShown: line.published_at !== null,
          newest: line.version === record.version,
        })),
      },
      opened: (entered && Number(typed(entered, 'version'))) || undefined,
      refused,
      done: ownValue(DONE, more.done),
      preview:
        !refused && record.state !== 'removed' && display.previewSlide(kind.name, id, record.body)
          ? `/admin/content/preview/${kind.name}/${encodeURIComponent(id)}/${record.version}`
          : undefined,
    });
  };

  app.get(
    '/admin/content/:kind/:id',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'A record, with its history', params, querystring: DoneQuery },
    },
    async (request, reply) => sendFraming(reply, renderRecord(request, { done: request.query.done })),
  );

  /** Returns the conflict page if two people changed the same field, else the page of the form. */
  const renderRefused = (
    request: FastifyRequest,
    refused: RefusedForm,
    input: (editor: Editor) => Body,
    isForm = false,
  ): Html => {
    const { kind: name, id } = request.params as Opened;
    const editor = getEditor(name);
    const opened = Number(typed(refused.entered, 'version'));
    const conflict =
      refused.status === 409 ? findConflict(ctx, editor.kind, id, opened, input(editor)) : undefined;
    if (!conflict) return renderRecord(request, { refused, isForm });
    const names = new Map([
      ...display.listTenders().map(({ id: tender, name: called }) => [tender, called] as const),
      ...[...listShownPictures(ctx)].map(([picture, { alt }]) => [picture, alt || 'A picture'] as const),
    ]);
    return conflictPage({
      ...editorProps(made, request, editor, {}),
      id,
      version: conflict.version,
      who: conflict.who,
      changes: conflict.changes,
      title: editor.kind.title(getRecord(ctx, editor.kind, id).body),
      publish: typed(refused.entered, 'publish') === 'true',
      conflicts: conflict.fields.map(({ field, theirs, yours }) => ({
        field,
        theirs: describeValue(theirs, names),
        yours: describeValue(yours, names),
      })),
    });
  };

  const save = async (
    request: FastifyRequest,
    at: { version: number; publish?: string | undefined },
    input: Body,
  ) => {
    const { kind: name, id } = request.params as Opened;
    const { kind } = getEditor(name);
    const publish = at.publish === 'true';
    const given = { input, publish, prefix: '', version: at.version };
    const { merged } = await changeRecord(ctx, kind, id, given, actorOf(request, ctx.now));
    const done = publish ? (merged ? 'both' : 'published') : merged ? 'merged' : 'saved';
    return `/admin/content/${kind.name}/${id}?done=${done}`;
  };
  /** Returns the body of a form; the version that it was opened with supplies what the form has no fields for. */
  const readForm = (request: FastifyRequest, { kind, form }: Editor): Body => {
    const { id, version: newest, history } = getRecord(ctx, kind, (request.params as Opened).id);
    const opened = Number(typed(request.entered ?? {}, 'version'));
    const isKept = history.some((line) => line.version === opened);
    return form.fromForm(request.entered ?? {}, getVersion(ctx, kind, id, isKept ? opened : newest));
  };

  app.post(
    '/admin/content/:kind/:id',
    {
      config: {
        permission: 'content:write',
        takesPicture: true,
        ...refusedOn((request, refused) =>
          renderRefused(request, refused, (editor) => readForm(request, editor), true),
        ),
      },
      schema: { hide: true, params, body: VersionedForm },
    },
    async (request, reply) => {
      await saveEnteredPicture(ctx, request, actorOf(request, ctx.now));
      const editor = getEditor(request.params.kind);
      const input = readForm(request, editor);
      if (request.body.check !== undefined && editor.preview) {
        const panel = editor.preview(ctx, input, request.params.id);
        return sendFraming(
          reply,
          renderRecord(request, { checked: { panel, values: request.entered ?? {} } }),
        );
      }
      return reply.redirect(await save(request, request.body, input), 303);
    },
  );

  const chosen = (entered: Readonly<Record<string, unknown>>): Body =>
    settle(typed(entered, 'changes'), (field) => typed(entered, `take.${field}`) === 'yours');

  app.post(
    '/admin/content/:kind/:id/settle',
    {
      config: {
        permission: 'content:write',
        ...refusedOn((request, refused) => renderRefused(request, refused, () => chosen(refused.entered))),
      },
      schema: { hide: true, params, body: SettleForm },
    },
    async (request, reply) =>
      reply.redirect(await save(request, request.body, chosen(request.entered ?? {})), 303),
  );

  for (const [name, [take, done]] of Object.entries(STEPS))
    app.post(
      `/admin/content/:kind/:id/${name}`,
      {
        config: {
          permission: 'content:write',
          ...refusedOn((request, refused) => renderRecord(request, { refused })),
        },
        schema: { hide: true, params, body: AtVersion },
      },
      async (request, reply) => {
        const { id, kind: kindName } = request.params;
        const { kind } = getEditor(kindName);
        await take(ctx, kind, id, request.body.version, actorOf(request, ctx.now));
        return reply.redirect(`/admin/content/${kind.name}/${id}?done=${done}`, 303);
      },
    );
}
