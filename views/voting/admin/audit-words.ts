import { isText } from '#kernel/language/catalogues.ts';
import { t } from '#kernel/language/message.ts';
import type { Texts } from '#kernel/language/texts.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';

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

/** The words for what the details of an entry hold, by key; keys that are not listed stay as they are. */
const DETAILS: Readonly<Record<string, Words>> = {
  'as of': t('audit.detail.as_of'),
  'ballot set sha256': t('audit.detail.ballot_set_sha256'),
  'ballot type': t('audit.detail.ballot_type'),
  'batch name': t('audit.detail.batch_name'),
  'books tokens used': t('audit.detail.books_tokens_used'),
  'books tokens issued': t('audit.detail.books_tokens_issued'),
  'client sha256': t('audit.detail.client_sha256'),
  'cloned from': t('audit.detail.cloned_from'),
  'close at': t('audit.detail.close_at'),
  count: t('audit.detail.count'),
  desired: t('audit.detail.desired'),
  ended: t('audit.detail.ended'),
  fields: t('audit.detail.fields'),
  'figures sha256': t('audit.detail.figures_sha256'),
  'from close at': t('audit.detail.from_close_at'),
  'from open at': t('audit.detail.from_open_at'),
  'invite id': t('audit.detail.invite_id'),
  late: t('audit.detail.late'),
  'list id': t('audit.detail.list_id'),
  method: t('audit.detail.method'),
  'open at': t('audit.detail.open_at'),
  'page id': t('audit.detail.page_id'),
  paused: t('audit.detail.paused'),
  'personal sha256': t('audit.detail.personal_sha256'),
  'question sha256': t('audit.detail.question_sha256'),
  'repeated by': t('audit.detail.repeated_by'),
  success: t('audit.detail.success'),
  through: t('audit.detail.through'),
  'to close at': t('audit.detail.to_close_at'),
  'to open at': t('audit.detail.to_open_at'),
  'two people': t('audit.detail.two_people'),
  unsure: t('audit.detail.unsure'),
  votes: t('audit.detail.votes'),
};

/** A key of the details in plain words, such as `hash of the question` for `question sha256`. */
export const detailWords = (key: string): Words | string => ownValue(DETAILS, key) ?? key;
