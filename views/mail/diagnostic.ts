import type { TestMailData, TestTemplate } from '#voting/invitations/test-mails.ts';
import { type Mail, type MailParts, renderMail } from './layout.ts';
import { myElectionsParts } from './my-elections.ts';
import { resultsParts } from './results.ts';
import { subscriptionParts } from './subscription.ts';
import { reminderParts, votingLinkParts } from './voting-link.ts';

/** A mail with sample data, marked as a test in its subject and at its top. */
export function diagnosticMail(template: TestTemplate, data: TestMailData): Mail {
  const parts = sample(template, data);
  return renderMail({
    ...parts,
    subject: `[Test] ${parts.subject}`,
    notice: 'This is a test mail with made-up contents. There is nothing to do.',
    advice: parts.advice && `In a real mail: ${parts.advice}`,
    why: 'You get this mail because an officer sent a test mail to this address.',
  });
}

/** The usual settings. */
const secrecy = {
  election: {
    settings: { receipts: 'off', publish_ballots: null, hide_results_until_close: true } as const,
  },
  few: false,
};

function sample(template: TestTemplate, { club, opens, closes, link }: TestMailData): MailParts {
  const title = 'Sample: longer opening hours';
  const description = 'Shall the club open until midnight on Fridays?';
  switch (template) {
    case 'invite':
      return votingLinkParts({ club, title, description, opens, closes, isOpen: true, link, secrecy });
    case 'batch_invite':
      return myElectionsParts({
        club,
        elections: [
          { title, opens, closes, isOpen: true, secrecy },
          { title: 'Sample: chair of the club', opens, closes, isOpen: false, secrecy },
        ],
        link,
      });
    case 'reminder':
      return reminderParts({ club, title, closes, link, secrecy });
    case 'results':
      return resultsParts({
        club,
        title,
        questions: [{ title, outcome: 'Carried: 42 yes to 7 no.' }],
        closed: closes,
        link,
      });
    case 'subscription':
      return subscriptionParts({ club, until: closes, link });
  }
}
