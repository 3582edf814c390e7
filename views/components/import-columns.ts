import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Column } from '#kernel/lists/columns.ts';
import { selectField } from './forms.ts';
import { hidden } from './slots.ts';

/** Asks whether a column is what it looks like; the button is the answer. @param meaning the field in words, with its article */
export const isItThis = (column: string, field: string, meaning: Words | string): Html =>
  html`<p>${t('settings.columns.is_it', { column, meaning })} <button class="button button-quiet button-small" name="mapping.${column}" value="${field}">${t('settings.columns.yes', { column, meaning, hidden })}</button></p>`;

/** What each column of a file holds, to be changed; those that nobody has decided on ask for a choice. */
export function columnSelects(props: {
  columns: readonly Column[];
  fields: readonly { value: string; label: Words | string }[];
  /** The headers that are not decided on. */
  unread: readonly string[];
}): Html[] {
  const { columns, fields, unread } = props;
  const known = [{ value: '', label: t('settings.columns.not_read') }, ...fields];
  const open = [{ value: '?', label: t('settings.columns.choose') }, ...known];
  const once = columns.filter(
    ({ header }, index) => columns.findIndex((one) => one.header === header) === index,
  );
  return once.map(({ header, field }, index) => {
    const shared = {
      name: `mapping.${header}`,
      id: `column-${index}`,
      label: header || t('settings.columns.no_header'),
    };
    return unread.includes(header)
      ? selectField({ ...shared, options: open, value: '?' })
      : selectField({ ...shared, options: known, value: field ?? '' });
  });
}
