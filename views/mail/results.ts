import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { itemOutcome, itemRule, voidOf } from '#views/meetings/outcome.ts';
import { outcomeNotes, outcomeSentence } from '#views/voting/results/outcome.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import type { ResultsMailData } from '#voting/counting/results-mail.ts';
import type { Block, MailParts, Text } from './layout.ts';

export interface ResultsMailProps {
  club: MailClub;
  title: Text;
  /** The questions of a ballot paper; otherwise one, of the title. */
  questions: readonly MailedResult[];
  isPaper?: boolean | undefined;
  /** When voting closed. */
  closed?: Text | undefined;
  /** Leads to the page of the election; the same for everyone. */
  link: string;
  /** When the election is deleted, if it is a trial. */
  trial?: Text | undefined;
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
  when: Text;
  items: readonly ItemWithResult[];
  link: string;
}): MailParts {
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
  return {
    club,
    subject: t('mail.results.subject', { title: meeting.title }),
    preheader: sentences(decided.map(({ outcome }) => outcome)) ?? '',
    eyebrow: t('mail.results.meeting_eyebrow'),
    heading: meeting.title,
    body: [
      { kind: 'facts', facts: [[t('mail.results.meeting'), when]] },
      decided.length === 0
        ? { kind: 'text', text: t('mail.results.nothing') }
        : {
            kind: 'list',
            items: decided.map(({ title, outcome, rule }) => ({ title, note: sentences([outcome, rule]) })),
          },
      ...(proofs.length > 0 ? [KEEP_IT] : []),
      ...proofs.flatMap(({ title, proof }) => [{ kind: 'text', text: title } as const, proofFacts(proof)]),
    ],
    link: { label: t('mail.results.button'), href: link },
    why: t('mail.meeting.why_after'),
  };
}

interface MailedResult {
  title: Text;
  /** In the same words as on the pages, see `outcomeSentence`. */
  outcome: Text;
  /** What one must know to read the outcome, each in a sentence. */
  notes?: readonly Text[];
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
export function resultsMail({ questions, ...data }: ResultsMailData): MailParts {
  const mailed = questions.map(({ title, results }) => ({
    title,
    outcome: outcomeSentence(results),
    notes: outcomeNotes(results),
    proof: proofOf(results),
  }));
  return resultsParts({ ...data, questions: mailed });
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
    subject: trialSubject(t('mail.results.subject', { title }), trial),
    notice: trialNotice(trial),
    preheader: sentences(questions.map(({ outcome }) => outcome)) ?? '',
    eyebrow: t('mail.results.eyebrow'),
    heading: title,
    body: [
      ...(isPaper ? listOf(questions) : questions.flatMap(outcomeBlocks)),
      ...(closed ? [{ kind: 'facts', facts: [[t('mail.results.closed'), closed]] } as const] : []),
      ...(proofs.length > 0 ? [KEEP_IT] : []),
      ...proofs.flatMap(({ title, proof }) => [
        ...(isPaper ? [{ kind: 'text', text: title } as const] : []),
        proofFacts(proof),
      ]),
    ],
    link: { label: t('mail.results.button'), href: link },
    why: isPaper ? t('mail.results.why_paper') : t('mail.results.why'),
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
      note: sentences([outcome, ...notes]),
    })),
  },
];

const KEEP_IT: Block = { kind: 'text', text: t('mail.results.keep') };

const proofFacts = ({ ballots, ballotSet, head, question, salt }: Proof): Block => ({
  kind: 'facts',
  facts: [
    [t('mail.results.ballots'), String(ballots)],
    [t('mail.results.ballot_set'), ballotSet],
    ...(salt === undefined ? [] : [[t('mail.results.salt'), salt] as const]),
    ...(question === undefined ? [] : [[t('mail.results.question'), question] as const]),
    [t('mail.results.log'), head],
  ],
});
