import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { formatted, Note, type Words } from '#kernel/language/words.ts';
import { type Message, pageTextOf, sentenceOf } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';

/** A message as a note. */
export function noteOf(message: Message): Note {
  const english = sentenceOf(message);
  return new Note(pageTextOf(message) ?? formatted(() => english), english);
}

/** The columns of a list, at the beginning of a note. */
const COLUMNS: Readonly<Record<string, Words>> = {
  section: t('content-admin.menu_import.section'),
  name: t('content-admin.menu_import.name'),
  maker: t('content-admin.menu_import.maker'),
  style: t('content-admin.menu_import.style'),
  abv: t('content-admin.menu_import.alcohol_per_cent'),
  ibu: t('content-admin.menu_import.bitterness_ibu'),
  color_ebc: t('content-admin.menu_import.colour_ebc'),
  description: t('content-admin.kinds.description'),
  allergens: t('content-admin.menu_import.allergens'),
  marks: t('content-admin.kinds.marks'),
  confirm: t('content-admin.kinds.marks'),
  url: t('content-admin.menu_import.web_page'),
  order: t('content-admin.menu_import.place_section'),
  size: t('content-admin.menu_import.size'),
  volume: t('content-admin.menu_import.volume'),
  price: t('content-admin.menu_import.price'),
  member_price: t('content-admin.menu_import.price_members'),
};

/** What is wrong with a line, by its column. */
export function problemNote(problem: FieldError): Note {
  const [, , name = ''] = problem.path.split('.');
  const column = name === 'confirm' ? 'marks' : name.replaceAll('_', ' ');
  const label = ownValue(COLUMNS, name) ?? column;
  return new Note(
    t('content-admin.menu_import.note', { column: label, problem: noteOf(problem) }),
    `${column}: ${sentenceOf(problem)}`,
  );
}
