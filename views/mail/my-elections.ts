import { t } from '#kernel/language/message.ts';
import { allOf, commas, sentences } from '#kernel/language/times.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import { mailedLimits, mailedPromise, secrecyInShort } from '#views/voting/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import type { MailParts, Text } from './layout.ts';
import { ballotLabel, datesOf, forLine, forWhom, questionList } from './voting-link.ts';

export interface MyElectionsMailProps {
  club: MailClub;
  elections: readonly {
    title: Text;
    opens: Text;
    closes: Text;
    isOpen: boolean;
    secrecy: Secrecy;
    trial?: Text | undefined;
    /** The questions of a ballot paper that wait for an answer. */
    questions?: readonly Text[] | undefined;
  }[];
  /** Leads to the page with a voting link for each election. */
  link: string;
  /** The voter whose ballots they are, where known. */
  forName?: string | null | undefined;
  /** Whether others are invited at the same address; the subject then names the voter. */
  isShared?: boolean | undefined;
}

/** The invitation to several elections with one link to all of them. */
export function myElectionsParts({ club, elections, link, ...whom }: MyElectionsMailProps): MailParts {
  const [first] = elections;
  const n = elections.length;
  const single = n === 1 && first;
  // Among real elections each trial is marked.
  const trial = elections.every((one) => one.trial !== undefined) ? first?.trial : undefined;
  return {
    club,
    subject: trialSubject(
      forWhom(
        single ? t('mail.vote.subject', { title: first.title }) : t('mail.my_elections.subject', { n }),
        whom,
      ),
      trial,
    ),
    notice: trialNotice(trial),
    preheader: single
      ? t('mail.reminder.preheader', { closes: first.closes })
      : (commas(elections.map(({ title }) => title)) ?? ''),
    eyebrow: t('mail.vote.eyebrow'),
    heading: single ? first.title : t('mail.my_elections.heading', { n }),
    body: [
      ...forLine(whom),
      ...(single && first.questions ? questionList(first.questions) : []),
      single ? datesOf(first) : { kind: 'list', items: elections.map(listedElection) },
    ],
    link: { label: single ? ballotLabel(first) : t('mail.my_elections.button'), href: link },
    advice: sentences([
      t('mail.my_elections.advice'),
      single ? secrecyInShort(first.secrecy) : mailedPromise(elections.map(({ secrecy }) => secrecy)),
    ]),
    why: single
      ? first.questions
        ? t('mail.vote.why_paper')
        : t('mail.vote.why')
      : t('mail.my_elections.why'),
  };
}

function listedElection(election: MyElectionsMailProps['elections'][number]) {
  const { title, opens, closes, isOpen, questions, trial, secrecy } = election;
  return {
    title: trial === undefined ? title : t('mail.my_elections.trial', { title }),
    note: sentences([
      questions && t('mail.my_elections.questions', { questions: allOf(questions) }),
      isOpen ? t('mail.my_elections.open', { closes }) : t('mail.my_elections.planned', { opens, closes }),
      ...mailedLimits(secrecy),
    ]),
  };
}
