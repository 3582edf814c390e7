import type { SignedIn } from '#kernel/access/sessions.ts';

/** An election or a ballot paper in which a person has a ballot, for their own page. */
export interface OwnElection {
  id: string;
  title: string;
  status: 'scheduled' | 'open' | 'closed';
  opens_at: string;
  closes_at: string;
  state: 'waiting' | 'voted' | 'closed';
  /** Whether this session may open the ballot; otherwise its link is mailed. */
  mayOpen: boolean;
  /** The masked address of the invitation; null if the code was printed. */
  mailedTo: string | null;
  /** Whether it is a trial. */
  trial?: true;
  /** Of a ballot paper: the titles of the questions that wait for an answer, of those that are not closed. */
  waiting?: string[];
  /** The path of the ballot, until it is cast, if this session may open it. */
  link?: string;
}

/** Lists the elections of a signed-in person; provided by the voting domain. */
export type ListOwnElections = (signedIn: SignedIn) => OwnElection[];

/** Converts an election to JSON, without the fields that only the page needs. */
export function ownElectionJson({ id, title, status, closes_at, state, link, trial, waiting }: OwnElection) {
  return {
    id,
    title,
    status,
    closes_at,
    state,
    ...(trial && { trial }),
    ...(waiting && { waiting }),
    ...(link !== undefined && { link }),
  };
}
