import { t } from '#kernel/language/message.ts';
import type { TestMailData, TestTemplate } from '#voting/invitations/test-mails.ts';
import type { MailParts } from './layout.ts';
import { myElectionsParts } from './my-elections.ts';
import { resultsParts } from './results.ts';
import { subscriptionMail } from './subscription.ts';
import { reminderParts, votingLinkParts } from './voting-link.ts';

/** A mail with sample data, marked as a test in its subject and at its top. */
export function diagnosticMail(template: TestTemplate, data: TestMailData): MailParts {
  const parts = sample(template, data);
  return {
    ...parts,
    subject: t('mail.sample.subject', { subject: parts.subject }),
    notice: t('mail.sample.notice'),
    advice: parts.advice && t('mail.sample.advice', { advice: parts.advice }),
    why: t('mail.sample.why'),
  };
}

/** The usual settings. */
const secrecy = {
  election: {
    settings: { receipts: 'off', publish_ballots: null, hide_results_until_close: true } as const,
  },
  few: false,
};

function sample(template: TestTemplate, { club, opens, closes, link }: TestMailData): MailParts {
  const title = t('mail.sample.hours');
  const description = t('mail.sample.question');
  switch (template) {
    case 'invite':
      return votingLinkParts({ club, title, description, opens, closes, isOpen: true, link, secrecy });
    case 'batch_invite':
      return myElectionsParts({
        club,
        elections: [
          { title, opens, closes, isOpen: true, secrecy },
          { title: t('mail.sample.chair'), opens, closes, isOpen: false, secrecy },
        ],
        link,
      });
    case 'reminder':
      return reminderParts({ club, title, closes, link, secrecy });
    case 'results':
      return resultsParts({
        club,
        title,
        questions: [{ title, outcome: t('mail.sample.outcome') }],
        closed: closes,
        link,
      });
    case 'subscription':
      return subscriptionMail({ club, until: closes, link });
  }
}
