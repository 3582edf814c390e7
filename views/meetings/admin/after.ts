import { type Html, html } from '#kernel/html.ts';
import { formatShort } from '#kernel/local-time.ts';
import type { After, AfterMails } from '#meetings/after.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
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
    title: 'Tell the members',
    about: 'Everybody who was invited gets it, in the room or not.',
    screenOnly: true,
    work: html`${
      results.waits
        ? html`<p>The results can be mailed once all of them are announced.</p>`
        : mailForm(
            props,
            'results',
            sent !== null && `The results were mailed ${formatShort(sent, timeZone)}.`,
          )
    }${
      minutes.version === undefined
        ? html`<p>The minutes can be mailed once both have signed them.</p>`
        : mailForm(
            props,
            'minutes',
            minutes.mailed === minutes.version &&
              `The signed minutes were mailed (version ${minutes.mailed}).`,
          )
    }`,
  });
}

const NAMES: Record<After, string> = { results: 'the results', minutes: 'the signed minutes' };

/** @param before that it was mailed already */
function mailForm(props: AfterProps, what: After, before: string | false): Html {
  const { meetingId, after } = props;
  const to = counted(after.people, 'member');
  return html`${before && html`<p>${before}</p>`}${
    mayDo(props, 'elections:run') &&
    after.people > 0 &&
    html`<form method="post" action="/admin/meetings/${meetingId}/${what}/mail">${
      before && hiddenInputs({ again: 'true' })
    }<button class="button${before && ' button-quiet'}">${
      before ? `Mail ${NAMES[what]} to ${to} again` : `Mail ${NAMES[what]} to ${to}`
    }</button></form>`
  }${after.people === 0 && html`<p>Nobody was invited to this meeting by mail.</p>`}`;
}
