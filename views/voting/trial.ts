import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Banner } from '#kernel/site.ts';
import { badge } from '#views/components/status.ts';

/** Says on every page of a trial what it is. @param deleted the day of its deletion, already formatted */
export const trialBanner = (deleted: Words | string): Banner => ({
  title: t('voting.trial.this_is_trial'),
  text: t('voting.trial.decides_nothing_deleted_all_votes', { deleted }),
});

/** The mark of a trial among other elections. */
export const trialBadge = (election: { trial?: true }): Html | undefined =>
  election.trial && html` ${badge(t('voting.trial.trial'), 'scheduled')}`;

/** The same as the banner in a sentence, for mails and lists; undefined for a real election. */
export const trialNotice = (deleted: Words | string | undefined): Words | undefined =>
  deleted === undefined ? undefined : t('mail.vote.trial_notice', { day: deleted });

/** The subject of a mail, or the title of a slip, marked if it is about a trial. */
export const trialSubject = (subject: Words | string, deleted: Words | string | undefined): Words | string =>
  deleted === undefined ? subject : t('mail.vote.trial_subject', { subject });
