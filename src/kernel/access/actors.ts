import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';

/** The actor for PUB_ADMIN_TOKEN, as named in records and in JSON answers. */
export const TOKEN_ACTOR = 'token:pub_admin';

/** An officer of whom nothing else is known. */
export const UNKNOWN_OFFICER = 'an officer';

/** An actor in words for people. */
export const actorWords = (actor: string): Words | string =>
  actor === TOKEN_ACTOR
    ? t('common.actor.script')
    : actor === UNKNOWN_OFFICER
      ? t('common.actor.officer')
      : actor;
