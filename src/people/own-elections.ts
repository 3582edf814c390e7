import type { SignedIn } from '#kernel/access/sessions.ts';

/** An election in which somebody has a ballot, as their own page shows it. */
export interface OwnElection {
  id: string;
  title: string;
  status: 'scheduled' | 'open' | 'closed';
  opens_at: string;
  closes_at: string;
  state: 'waiting' | 'voted' | 'closed';
  /** Whether this session opens the ballot; else its link is mailed. */
  mayOpen: boolean;
  /** The address of the invitation, made unreadable to others; null: a slip was printed. */
  mailedTo: string | null;
  /** The path of the ballot, while it waits and the session opens it. */
  link?: string;
}

/** What the voting domain tells of somebody who is signed in. */
export type ListOwnElections = (signedIn: SignedIn) => OwnElection[];

/** An election as JSON: without what only the page needs. */
export function ownElectionJson({ id, title, status, closes_at, state, link }: OwnElection) {
  return { id, title, status, closes_at, state, ...(link !== undefined && { link }) };
}
