import { inAllLanguages } from '#kernel/language/catalogues.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';

/** “None of the above” in the words of each reader. */
const NONE = t('voting.words.none_of_the_above');

let shipped: ReadonlySet<string> | undefined;

/** The name under which “none of the above” is stored, in the language of the club. */
export const nameOfNone = (): string => NONE.for(clubReader());

/**
 * The name of an option as each reader reads it. That of “none of the above” is in their language, unless somebody has
 * given it another: it is stored as the service names it in one of its languages.
 */
export function shownName(option: { name: string; is_none_of_the_above?: boolean }): Words | string {
  shipped ??= inAllLanguages('voting.words.none_of_the_above');
  return option.is_none_of_the_above === true && shipped.has(option.name) ? NONE : option.name;
}
