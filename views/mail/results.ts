import { outcomeSentence } from '#views/voting/outcome.ts';
import type { ResultsMailData } from '#voting/invitations/results-mail.ts';
import { type Mail, type MailParts, renderMail } from './layout.ts';

export interface ResultsMailProps {
  clubName: string;
  title: string;
  /** As the pages say it, see `outcomeSentence`. */
  outcome: string;
  /** When voting closed, as a ready string. */
  closed?: string | undefined;
  /** To the page of the election; the same for everyone. */
  link: string;
}

/** The outcome of an election, in the same words as on its page. */
export function resultsMail({ results, ...data }: ResultsMailData): Mail {
  return renderMail(resultsParts({ ...data, outcome: outcomeSentence(results) }));
}

export function resultsParts({ clubName, title, outcome, closed, link }: ResultsMailProps): MailParts {
  return {
    clubName,
    subject: `Results: ${title}`,
    preheader: outcome,
    eyebrow: 'The results are in',
    heading: title,
    body: [
      { kind: 'outcome', text: outcome },
      ...(closed ? [{ kind: 'facts', facts: [['Voting closed', closed]] } as const] : []),
    ],
    link: { label: 'See the results', href: link },
    why: 'You get this mail because an officer sent you the results of this election.',
  };
}
