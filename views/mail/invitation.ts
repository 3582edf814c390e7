import type { InvitationMailData } from '#voting/invitations/invitation-mails.ts';
import type { MailParts } from './layout.ts';
import { myElectionsParts } from './my-elections.ts';
import { reminderParts, votingLinkParts } from './voting-link.ts';

/** Any of the mails to somebody who was invited to vote. */
export function invitationMail(data: InvitationMailData): MailParts {
  switch (data.template) {
    case 'voting-link':
      return votingLinkParts(data);
    case 'my-elections':
      return myElectionsParts(data);
    case 'reminder':
      return reminderParts(data);
  }
}
