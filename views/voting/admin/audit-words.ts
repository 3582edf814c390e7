import { isText } from '#kernel/language/catalogues.ts';
import { t } from '#kernel/language/message.ts';
import type { Texts } from '#kernel/language/texts.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';

/** The actions that have words of their own. */
type Action = Extract<keyof Texts, `audit.action.${string}`>;
const isAction = (key: string): key is Action => isText(key);

/** An action in plain words: `Invitation sent`, `1,500 invitations sent`. */
export function actionWords(action: string, count = 1): Words {
  const key = `audit.action.${action}`;
  if (isAction(key)) return t(key, { count });
  const plain = action.replaceAll(/[._]/g, ' ');
  return t('audit.other', { count, action: plain.charAt(0).toUpperCase() + plain.slice(1) });
}

/** What the details of an entry hold. */
type Detail = Extract<keyof Texts, `audit.detail.${string}`>;
const isDetail = (key: string): key is Detail => isText(key);

/** The words of a key, or of a key in another one: `books tokens used`. */
function wordsFor(plain: string): Words | undefined {
  const key = `audit.detail.${plain.replaceAll(' ', '_')}`;
  return isDetail(key) ? t(key) : undefined;
}

/** Keys of what the log counts at the door: a class, and what its people, or its proxies, have. */
const PEOPLE = /^(.+) (in|out) (held|none|back)$/;
const PROXIES = /^(.+) (?:given|(used))$/;

function keyWords(key: string, above: string | undefined): Words | string {
  const [, name, state, card] = (above === 'people' && PEOPLE.exec(key)) || [];
  if (name !== undefined)
    return t('audit.door.people', {
      class: name === 'guest' ? t('audit.detail.guest') : name,
      state: state === 'in' ? 'in' : 'other',
      card: card === 'held' || card === 'back' ? card : 'other',
    });
  const [, giver, used] = (above === 'proxies' && PROXIES.exec(key)) || [];
  if (giver !== undefined) return t('audit.door.proxies', { class: giver, state: used ? 'used' : 'other' });
  return wordsFor(inWords(key)) ?? inWords(key);
}

/** `set_at` and `setAt` in words. Names of settings and of classes, which are keys too, stay. */
const inWords = (key: string): string =>
  key.includes('.')
    ? key
    : key
        .replaceAll('_', ' ')
        .replaceAll(/([a-z])([A-Z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`);

/**
 * A key of the details in plain words, such as `hash of the question` for `question_sha256`. Keys without words stay.
 * @param path a key, after those that it is in
 */
export const detailWords = (path: readonly string[]): Words | string =>
  wordsFor(path.map(inWords).join(' ')) ?? commas(path.map((key, at) => keyWords(key, path[at - 1]))) ?? '';
