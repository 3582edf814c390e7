import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { After, AfterMails } from '#meetings/after.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { mayDo, type OfficerProps, pageSection } from '#views/voting/admin/frame.ts';

interface AfterProps extends OfficerProps {
  meetingId: string;
  after: AfterMails;
  timeZone: string;
}

/** After a meeting: its results and its minutes, mailed to everybody who was invited. */
export function afterSection(props: AfterProps): Html {
  const { after, timeZone } = props;
  const { results, minutes } = after;
  const sent = results.mailed_at;
  return pageSection({
    id: 'after',
    title: t('meetings-admin.after.tell_members'),
    about: t('meetings-admin.after.everybody_who_invited_gets_room'),
    screenOnly: true,
    work: html`${
      results.waits
        ? html`<p>${t('meetings-admin.after.results_mailed_once_all_announced')}</p>`
        : mailForm(
            props,
            'results',
            sent !== null && t('meetings-admin.after.results_mailed', { sent: formatShort(sent, timeZone) }),
          )
    }${
      minutes.version === undefined
        ? html`<p>${t('meetings-admin.after.minutes_mailed_once_both_signed')}</p>`
        : mailForm(
            props,
            'minutes',
            minutes.mailed === minutes.version &&
              t('meetings-admin.after.signed_minutes_mailed_version', { mailed: minutes.mailed }),
          )
    }`,
  });
}

/** The button of a mail, and of the same mail again. */
const BUTTONS: Record<After, (n: number, again: boolean) => Words> = {
  results: (n, again) =>
    again
      ? t('meetings-admin.after.mail_results_again', { n })
      : t('meetings-admin.after.mail_results', { n }),
  minutes: (n, again) =>
    again
      ? t('meetings-admin.after.mail_minutes_again', { n })
      : t('meetings-admin.after.mail_minutes', { n }),
};

/** @param before that it was mailed already */
function mailForm(props: AfterProps, what: After, before: Words | false): Html {
  const { meetingId, after } = props;
  return html`${before && html`<p>${before}</p>`}${
    mayDo(props, 'elections:run') &&
    after.people > 0 &&
    html`<form method="post" action="/admin/meetings/${meetingId}/${what}/mail">${
      before && hiddenInputs({ again: 'true' })
    }<button class="button${before && ' button-quiet'}">${BUTTONS[what](
      after.people,
      before !== false,
    )}</button></form>`
  }${after.people === 0 && html`<p>${t('meetings-admin.after.invited_meeting_mail')}</p>`}`;
}
