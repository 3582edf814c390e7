import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Column } from '#kernel/lists/columns.ts';
import { selectField } from './forms.ts';

/** Asks whether a column is what it looks like; the button is the answer. @param meaning the field in words, with its article */
export const isItThis = (column: string, field: string, meaning: string): Html =>
  html`<p>Is “${column}” ${meaning}? <button class="button button-quiet button-small" name="mapping.${column}" value="${field}">Yes<span
  class="visually-hidden">, “${column}” is ${meaning}</span></button></p>`;

/** What each column of a file holds, to be changed; those that nobody has decided on ask for a choice. */
export function columnSelects(props: {
  columns: readonly Column[];
  fields: readonly { value: string; label: Words | string }[];
  /** The headers that are not decided on. */
  unread: readonly string[];
}): Html[] {
  const { columns, fields, unread } = props;
  const known = [{ value: '', label: 'Not read' }, ...fields];
  const open = [{ value: '?', label: 'Choose' }, ...known];
  const once = columns.filter(
    ({ header }, index) => columns.findIndex((one) => one.header === header) === index,
  );
  return once.map(({ header, field }, index) => {
    const shared = { name: `mapping.${header}`, id: `column-${index}`, label: header || 'Without a header' };
    return unread.includes(header)
      ? selectField({ ...shared, options: open, value: '?' })
      : selectField({ ...shared, options: known, value: field ?? '' });
  });
}
