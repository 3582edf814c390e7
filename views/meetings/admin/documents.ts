import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { formatBytes } from '#kernel/language/times.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { described, field, labelled, selectField } from '#views/components/forms.ts';
import { hidden } from '#views/components/slots.ts';
import { pageSection } from '#views/voting/admin/frame.ts';

/** A document that was uploaded, and the item that it belongs to. */
export interface DocumentRow {
  id: string;
  title: string;
  size: number;
  url: string;
  /** `3. Accounts`; undefined: the whole meeting. */
  item: string | undefined;
}

/** The labels of the form, and the ids of its inputs. */
export const DOCUMENT_LABELS = {
  title: t('meetings-admin.documents.title_document'),
  item: t('meetings-admin.documents.belongs'),
  document: t('meetings-admin.documents.file'),
};
export const documentInputId = (path: string): string => (path === 'document' ? path : `document-${path}`);

/** The documents of a meeting, and the form that uploads another one for it or for an item that nobody voted on. */
export function documentsSection(
  meeting: { id: string; public: boolean },
  {
    documents,
    items,
  }: { documents: readonly DocumentRow[]; items: readonly { value: string; label: string }[] },
  refused: RefusedForm | undefined,
): Html {
  const { entered = {}, errors = [] } = refused ?? {};
  const at = `/admin/meetings/${meeting.id}/documents`;
  const error = errorAt(errors, 'document');
  const file = {
    name: 'document',
    label: DOCUMENT_LABELS.document,
    hint: t('meetings-admin.documents.pdf_most_10_mb'),
  };
  return pageSection({
    id: 'uploads',
    title: t('meetings-admin.documents.uploaded_documents'),
    about: meeting.public
      ? t('meetings-admin.documents.everybody_open_because_everybody_read')
      : t('meetings-admin.documents.whoever_comes_link_invitation_card'),
    work: html`${
      documents.length > 0 &&
      html`<ul role="list">${documents.map(
        (
          one,
        ) => html`<li><p><a href="${one.url}">${one.title}</a> <span class="small soft">${one.item ? t('meetings-admin.documents.pdf_for_item', { size: formatBytes(one.size), item: one.item }) : t('meetings-admin.documents.pdf', { size: formatBytes(one.size) })}</span></p><form method="post" action="${at}/${one.id}?_method=DELETE"><button
class="button button-quiet button-small">${t('meetings-admin.documents.remove', { hidden, title: one.title })}</button></form></li>`,
      )}</ul>`
    }<form method="post" action="${at}" enctype="multipart/form-data">
${field({ name: 'title', id: 'document-title', label: DOCUMENT_LABELS.title, value: enteredText(entered, 'title'), error: errorAt(errors, 'title'), maxlength: 200 })}
${selectField({
  name: 'item',
  id: 'document-item',
  label: DOCUMENT_LABELS.item,
  value: enteredText(entered, 'item'),
  error: errorAt(errors, 'item'),
  options: [{ value: '', label: t('meetings-admin.documents.whole_meeting') }, ...items],
})}
${labelled(
  { ...file, error },
  html`<input class="input" type="file" id="document" name="document" accept="application/pdf"${described({ ...file, error })}>`,
)}
<div class="actions"><button class="button button-quiet">${t('meetings-admin.documents.upload')}</button></div></form>`,
  });
}
