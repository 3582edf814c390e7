import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';

/** Says on every page of a trial what it is. @param deleted when it is deleted, already formatted */
export const trialBanner = (deleted: string): Html =>
  html`<div class="trial-banner">${notice('attention', trialWords(deleted), 'This is a trial')}</div>`;

/** What follows from it, for pages and mails. */
export const trialWords = (deleted: string): string =>
  `Its result decides nothing. It is deleted with all votes and addresses on ${deleted}.`;

/** The mark of a trial among other elections. */
export const trialBadge = (election: { trial?: true }): Html | undefined =>
  election.trial && html` ${badge('Trial', 'scheduled')}`;

/** The first line of a mail about a trial; undefined for a real election. */
export const trialNotice = (deleted: string | undefined): string | undefined =>
  deleted === undefined ? undefined : `This is a trial. ${trialWords(deleted)}`;

/** The subject of a mail, marked if it is about a trial. */
export const trialSubject = (subject: string, deleted: string | undefined): string =>
  deleted === undefined ? subject : `Trial: ${subject}`;
