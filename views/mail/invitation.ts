import type { InvitationMailData } from '#voting/invitations/invitation-mails.ts';
import type { Mail } from './layout.ts';
import { myElectionsMail } from './my-elections.ts';
import { reminderMail, votingLinkMail } from './voting-link.ts';

/** Renders any of the mails to somebody who was invited to vote. */
export function invitationMail(data: InvitationMailData): Mail {
  switch (data.template) {
    case 'voting-link':
      return votingLinkMail(data);
    case 'my-elections':
      return myElectionsMail(data);
    case 'reminder':
      return reminderMail(data);
  }
}
