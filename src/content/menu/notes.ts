import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { formatted, Note, type Words } from '#kernel/language/words.ts';
import { type Message, pageTextOf, sentenceOf } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';
import type { MenuField } from './headings.ts';

/** A message as a note. */
export function noteOf(message: Message): Note {
  const english = sentenceOf(message);
  return new Note(pageTextOf(message) ?? formatted(() => english), english);
}

/** What a column of a list holds. */
export const COLUMN_WORDS: Readonly<Record<MenuField, Words>> = {
  section: t('content-admin.menu_import.section'),
  kind: t('content-admin.menu_import.drinks_or_food'),
  name: t('content-admin.menu_import.name'),
  maker: t('content-admin.menu_import.maker'),
  style: t('content-admin.menu_import.style'),
  abv: t('content-admin.menu_import.alcohol_per_cent'),
  ibu: t('content-admin.menu_import.bitterness_ibu'),
  color_ebc: t('content-admin.menu_import.colour_ebc'),
  description: t('content-admin.menu_import.description_guests'),
  allergens: t('content-admin.menu_import.allergens'),
  marks: t('content-admin.menu_import.marks_such_vegan'),
  url: t('content-admin.menu_import.web_page'),
  order: t('content-admin.menu_import.place_section'),
  size: t('content-admin.menu_import.size'),
  volume: t('content-admin.menu_import.volume'),
  price: t('content-admin.menu_import.price'),
  member_price: t('content-admin.menu_import.price_members'),
  shown: t('content-admin.menu_import.on_list_or_not'),
  size_price: t('content-admin.menu_import.prices_size_heading'),
};

/** What is wrong with a line, by its column. */
export function problemNote(problem: FieldError): Note {
  const [, , name = ''] = problem.path.split('.');
  const field = name === 'confirm' ? 'marks' : name;
  const column = field.replaceAll('_', ' ');
  const label = ownValue<Words>(COLUMN_WORDS, field) ?? column;
  return new Note(
    t('content-admin.menu_import.note', { column: label, problem: noteOf(problem) }),
    `${column}: ${sentenceOf(problem)}`,
  );
}
