import type { MailClub } from '#kernel/mail/club.ts';
import { outcomeNotes, outcomeSentence } from '#views/voting/outcome.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import type { ResultsMailData } from '#voting/counting/results-mail.ts';
import { type Mail, type MailParts, renderMail } from './layout.ts';

export interface ResultsMailProps {
  club: MailClub;
  title: string;
  /** In the same words as on the pages, see `outcomeSentence`. */
  outcome: string;
  /** What one must know to read the outcome, each in a sentence. */
  notes?: readonly string[];
  /** When voting closed, already formatted. */
  closed?: string | undefined;
  /** What the recipient can later use to detect a change of the ballots or the log. */
  proof?: Proof | undefined;
  /** Leads to the page of the election; the same for everyone. */
  link: string;
  /** When the election is deleted, if it is a trial. */
  trial?: string | undefined;
}

interface Proof {
  ballots: number;
  ballotSet: string;
  head: string;
  /** Absent in results of earlier versions. */
  question?: string | undefined;
  salt?: string | undefined;
}

/** The outcome of an election, in the same words as on its page. */
export function resultsMail({ results, ...data }: ResultsMailData): Mail {
  const notes = outcomeNotes(results);
  return renderMail(
    resultsParts({ ...data, outcome: outcomeSentence(results), notes, proof: proofOf(results) }),
  );
}

function proofOf(results: ResultsMailData['results']): ResultsMailProps['proof'] {
  const { total_ballots, ballot_set_sha256, anchor, question_sha256, ballot_set_salt } =
    results.results_mode === 'manual' ? (results.computed ?? {}) : results;
  if (total_ballots === undefined || ballot_set_sha256 === undefined || !anchor) return undefined;
  const question = { question: question_sha256, salt: ballot_set_salt };
  return { ballots: total_ballots, ballotSet: ballot_set_sha256, head: anchor.head, ...question };
}

export function resultsParts(props: ResultsMailProps): MailParts {
  const { club, title, outcome, notes = [], closed, proof, link, trial } = props;
  return {
    club,
    subject: trialSubject(`Results: ${title}`, trial),
    notice: trialNotice(trial),
    preheader: outcome,
    eyebrow: 'The results are in',
    heading: title,
    body: [
      { kind: 'outcome', text: outcome },
      ...notes.map((text) => ({ kind: 'text', text }) as const),
      ...(closed ? [{ kind: 'facts', facts: [['Voting closed', closed]] } as const] : []),
      ...(proof ? proofBlocks(proof) : []),
    ],
    link: { label: 'See the results', href: link },
    why: 'You get this mail because an officer sent you the results of this election.',
  };
}

function proofBlocks({ ballots, ballotSet, head, question, salt }: Proof): MailParts['body'] {
  return [
    {
      kind: 'text',
      text:
        'Keep this mail. With the check numbers anybody can find out later whether the question or a ballot ' +
        'was changed, or something was cut out of the election’s log.',
    },
    {
      kind: 'facts',
      facts: [
        ['Ballots counted', String(ballots)],
        ['Check number of the ballots', ballotSet],
        ...(salt === undefined ? [] : [['Random number in it', salt] as const]),
        ...(question === undefined ? [] : [['Check number of the question', question] as const]),
        ['Check number of the log', head],
      ],
    },
  ];
}
