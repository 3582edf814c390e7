import { invitationsSection } from './invitations.ts';
import type { Sections } from './page.ts';
import type { SharedProps } from './props.ts';
import { tokensSection } from './tokens.ts';

/** The voting codes and the invitations of what issues them. */
export const codesSections = (props: SharedProps): Sections => ({
  tokens: () => (props.batches ? tokensSection(props, props.batches) : null),
  invitations: () => (props.invitations ? invitationsSection(props, props.invitations) : null),
});
