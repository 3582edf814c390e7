import type { MailClub } from '#kernel/mail/club.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { itemOutcome, itemRule, voidOf } from '#views/meetings/outcome.ts';
import { outcomeNotes, outcomeSentence } from '#views/voting/results/outcome.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import type { ResultsMailData } from '#voting/counting/results-mail.ts';
import { type Mail, type MailParts, renderMail } from './layout.ts';

export interface ResultsMailProps {
  club: MailClub;
  title: string;
  /** The questions of a ballot paper; otherwise one, of the title. */
  questions: readonly MailedResult[];
  isPaper?: boolean | undefined;
  /** When voting closed, already formatted. */
  closed?: string | undefined;
  /** Leads to the page of the election; the same for everyone. */
  link: string;
  /** When the election is deleted, if it is a trial. */
  trial?: string | undefined;
}

/** The results of a meeting, the items of its agenda in their order; check numbers come last. */
export function meetingResultsMail({
  club,
  meeting,
  when,
  items,
  link,
}: {
  club: MailClub;
  meeting: { title: string };
  when: string;
  items: readonly ItemWithResult[];
  link: string;
}): Mail {
  const decided = items.flatMap((item) => {
    const outcome = item.void ? voidOf(item.void) : itemOutcome(item);
    return outcome === undefined
      ? []
      : [{ title: `${item.number}. ${item.title}`, outcome, rule: itemRule(item), item }];
  });
  const proofs = decided.flatMap(({ title, item: { result, void: isVoid } }) => {
    if (!result || isVoid || result.results_mode === 'hands' || result.results_mode === 'unopposed')
      return [];
    const proof = proofOf(result);
    return proof ? [{ title, proof }] : [];
  });
  return renderMail({
    club,
    subject: `Results: ${meeting.title}`,
    preheader: decided.map(({ outcome }) => outcome).join(' '),
    eyebrow: 'What was decided',
    heading: meeting.title,
    body: [
      { kind: 'facts', facts: [['The meeting', when]] },
      decided.length === 0
        ? { kind: 'text', text: 'Nothing was voted on.' }
        : {
            kind: 'list',
            items: decided.map(({ title, outcome, rule }) => ({ title, note: `${outcome} ${rule}`.trim() })),
          },
      ...(proofs.length > 0 ? [KEEP_IT] : []),
      ...proofs.flatMap(({ title, proof }) => [{ kind: 'text', text: title } as const, proofFacts(proof)]),
    ],
    link: { label: 'See the results', href: link },
    why: 'You get this mail because you were invited to this meeting.',
  });
}

interface MailedResult {
  title: string;
  /** In the same words as on the pages, see `outcomeSentence`. */
  outcome: string;
  /** What one must know to read the outcome, each in a sentence. */
  notes?: readonly string[];
  /** What the recipient can later use to detect a change of the ballots or the log. */
  proof?: Proof | undefined;
}

interface Proof {
  ballots: number;
  ballotSet: string;
  head: string;
  /** Absent in results of earlier versions. */
  question?: string | undefined;
  salt?: string | undefined;
}

/** The outcome of an election or of the questions of a ballot paper, in the same words as on its page. */
export function resultsMail({ questions, ...data }: ResultsMailData): Mail {
  const mailed = questions.map(({ title, results }) => ({
    title,
    outcome: outcomeSentence(results),
    notes: outcomeNotes(results),
    proof: proofOf(results),
  }));
  return renderMail(resultsParts({ ...data, questions: mailed }));
}

function proofOf(results: ResultsMailData['questions'][number]['results']): MailedResult['proof'] {
  // One that is void is not mailed.
  if (results.results_mode === 'void') return undefined;
  const { total_ballots, ballot_set_sha256, anchor, question_sha256, ballot_set_salt } =
    results.results_mode === 'manual' ? (results.computed ?? {}) : results;
  if (total_ballots === undefined || ballot_set_sha256 === undefined || !anchor) return undefined;
  const question = { question: question_sha256, salt: ballot_set_salt };
  return { ballots: total_ballots, ballotSet: ballot_set_sha256, head: anchor.head, ...question };
}

export function resultsParts(props: ResultsMailProps): MailParts {
  const { club, title, questions, isPaper, closed, link, trial } = props;
  const proofs = questions.flatMap(({ title, proof }) => (proof ? [{ title, proof }] : []));
  return {
    club,
    subject: trialSubject(`Results: ${title}`, trial),
    notice: trialNotice(trial),
    preheader: questions.map(({ outcome }) => outcome).join(' '),
    eyebrow: 'The results are in',
    heading: title,
    body: [
      ...(isPaper ? listOf(questions) : questions.flatMap(outcomeBlocks)),
      ...(closed ? [{ kind: 'facts', facts: [['Voting closed', closed]] } as const] : []),
      ...(proofs.length > 0 ? [KEEP_IT] : []),
      ...proofs.flatMap(({ title, proof }) => [
        ...(isPaper ? [{ kind: 'text', text: title } as const] : []),
        proofFacts(proof),
      ]),
    ],
    link: { label: 'See the results', href: link },
    why: `You get this mail because an officer sent you the results of this ${isPaper ? 'vote' : 'election'}.`,
  };
}

const outcomeBlocks = ({ outcome, notes = [] }: MailedResult): MailParts['body'] => [
  { kind: 'outcome', text: outcome },
  ...notes.map((text) => ({ kind: 'text', text }) as const),
];

const listOf = (questions: readonly MailedResult[]): MailParts['body'] => [
  {
    kind: 'list',
    items: questions.map(({ title, outcome, notes = [] }) => ({
      title,
      note: [outcome, ...notes].join(' '),
    })),
  },
];

const KEEP_IT = {
  kind: 'text',
  text:
    'Keep this mail. With the check numbers anybody can find out later whether the question or a ballot ' +
    'was changed, or something was cut out of the election’s log.',
} as const;

const proofFacts = ({ ballots, ballotSet, head, question, salt }: Proof): MailParts['body'][number] => ({
  kind: 'facts',
  facts: [
    ['Ballots counted', String(ballots)],
    ['Check number of the ballots', ballotSet],
    ...(salt === undefined ? [] : [['Random number in it', salt] as const]),
    ...(question === undefined ? [] : [['Check number of the question', question] as const]),
    ['Check number of the log', head],
  ],
});
