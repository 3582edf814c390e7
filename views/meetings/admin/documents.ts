import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { described, field, labelled, selectField } from '#views/components/forms.ts';
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
export const DOCUMENT_LABELS = { title: 'Title of the document', item: 'It belongs to', document: 'File' };
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
  const file = { name: 'document', label: DOCUMENT_LABELS.document, hint: 'PDF, at most 10 MB.' };
  return pageSection({
    id: 'uploads',
    title: 'Uploaded documents',
    about: `${
      meeting.public
        ? 'Everybody can open them, because everybody can read this meeting.'
        : 'For whoever comes by the link of an invitation, with a card, or signed in.'
    } Their hashes are in the log.`,
    work: html`${
      documents.length > 0 &&
      html`<ul role="list">${documents.map(
        (
          one,
        ) => html`<li><p><a href="${one.url}">${one.title}</a> <span class="small soft">PDF, ${megabytes(one.size)}${
          one.item && `, for ${one.item}`
        }</span></p><form method="post" action="${at}/${one.id}?_method=DELETE"><button
class="button button-quiet button-small">Remove<span class="visually-hidden"> ${one.title}</span></button></form></li>`,
      )}</ul>`
    }<form method="post" action="${at}" enctype="multipart/form-data">
${field({ name: 'title', id: 'document-title', label: DOCUMENT_LABELS.title, value: enteredText(entered, 'title'), error: errorAt(errors, 'title'), maxlength: 200 })}
${selectField({
  name: 'item',
  id: 'document-item',
  label: DOCUMENT_LABELS.item,
  value: enteredText(entered, 'item'),
  error: errorAt(errors, 'item'),
  options: [{ value: '', label: 'The whole meeting' }, ...items],
})}
${labelled(
  { ...file, error },
  html`<input class="input" type="file" id="document" name="document" accept="application/pdf"${described({ ...file, error })}>`,
)}
<div class="actions"><button class="button button-quiet">Upload it</button></div></form>`,
  });
}

/** `120 KB`, `2.4 MB`. */
const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
