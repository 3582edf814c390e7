import type { MailClub } from '#kernel/mail/club.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import { mailedLimits, mailedPromise, secrecyInShort } from '#views/voting/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import { type Mail, type MailParts, renderMail } from './layout.ts';
import { ballotLabel, datesOf, forLine, forWhom, questionList } from './voting-link.ts';

export interface MyElectionsMailProps {
  club: MailClub;
  elections: readonly {
    title: string;
    opens: string;
    closes: string;
    isOpen: boolean;
    secrecy: Secrecy;
    trial?: string | undefined;
    /** The questions of a ballot paper that wait for an answer. */
    questions?: readonly string[] | undefined;
  }[];
  /** Leads to the page with a voting link for each election. */
  link: string;
  /** The voter whose ballots they are, where known. */
  forName?: string | null | undefined;
  /** Whether others are invited at the same address; the subject then names the voter. */
  isShared?: boolean | undefined;
}

/** The invitation to several elections with one link to all of them. */
export function myElectionsMail(props: MyElectionsMailProps): Mail {
  return renderMail(myElectionsParts(props));
}

export function myElectionsParts({ club, elections, link, ...whom }: MyElectionsMailProps): MailParts {
  const [first] = elections;
  const single = elections.length === 1 && first;
  // Among real elections each trial is marked.
  const trial = elections.every((one) => one.trial !== undefined) ? first?.trial : undefined;
  const names = elections.map(({ title }) => title).join(', ');
  return {
    club,
    subject: trialSubject(
      forWhom(
        single ? `Your vote: ${first.title}` : `Your vote in ${counted(elections.length, 'election')}`,
        whom,
      ),
      trial,
    ),
    notice: trialNotice(trial),
    preheader: single ? `Voting closes ${first.closes}.` : names,
    eyebrow: 'You are invited to vote',
    heading: single ? first.title : counted(elections.length, 'election'),
    body: [
      ...forLine(whom),
      ...(single && first.questions ? questionList(first.questions) : []),
      single
        ? datesOf(first)
        : {
            kind: 'list',
            items: elections.map(({ title, opens, closes, isOpen, questions, ...one }) => ({
              title: one.trial === undefined ? title : `${title} (trial)`,
              note: [
                ...(questions ? [`${listed(questions)}.`] : []),
                isOpen
                  ? `Voting is open and closes ${closes}.`
                  : `Voting opens ${opens} and closes ${closes}.`,
                ...mailedLimits(one.secrecy),
              ].join(' '),
            })),
          },
    ],
    link: { label: single ? ballotLabel(first) : 'See my ballots', href: link },
    advice: [
      'This link is yours alone: anyone who has it can cast your ballots, so please do not forward this mail.',
      'Each ballot counts once.',
      single ? secrecyInShort(first.secrecy) : mailedPromise(elections.map(({ secrecy }) => secrecy)),
    ]
      .join(' ')
      .trim(),
    why: `You get this mail because you were invited to vote${
      single ? (first.questions ? '' : ' in this election') : ' in these elections'
    }.`,
  };
}
