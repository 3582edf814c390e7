// What differs from one club of the demo to the other: names, words and dates. What is done with it is the same.
import type { EventBody } from '#content/events/body.ts';
import type { AnnouncementBody } from '#content/kinds/announcement.ts';
import type { FakeGame } from '#test/stand-ins/scoreboard-server.ts';
import type { Around } from '../around.ts';
import type { ElectionKey } from '../elections.ts';

export interface DemoClub {
  settings: { club_name: string; short_name: string; contact: string; accent?: string } & Partial<
    Record<'locale' | 'time_zone' | 'sports_leagues', string>
  >;
  /** Six people whom the roll, the mails and the subscriptions name. */
  people: readonly string[];
  /** What the other members are called. */
  firstNames: string;
  lastNames: string;
  /** Kinds of membership; the first is that of most. */
  kinds: readonly [string, ...string[]];
  /** A group of the roll, which elects the treasurer. */
  group: string;
  tenders: readonly { name: string; bio: string; tips: readonly [string, string] }[];
  hours: { note: string; early: string; closed: string };
  events(at: Around): Draft<EventBody>[];
  announcements(at: Around): DraftAnnouncement[];
  /** Alternative texts of the pictures that the demo draws. */
  pictures: Record<Drawing, string>;
  /** Somebody else's calendar. */
  neighbour: { name: string; prefix: string; events(at: Around): NeighbourEvent[] };
  /** What is still in the club's workspace. */
  workspace: { events(at: Around): WorkspaceEvent[]; announcement: { title: string; text: string } };
  elections: Record<ElectionKey, ElectionWords>;
  /** The count of a meeting on paper. */
  paper: {
    title: string;
    certified_by: string;
    notes: string;
    contests: { label: string; items: { label: string; votes: number }[] }[];
  };
  feedback: readonly { message: string; rating: number; name?: string; contact?: string }[];
  films: readonly { title: string; artist: string; songs: readonly string[] }[];
  games: readonly Pick<FakeGame, 'league' | 'home' | 'away' | 'channels'>[];
}

export type Drawing = 'roof' | 'band';
type Draft<Body extends { title: string }> = Partial<Body> &
  Pick<Body, 'title'> & { date: string; drawing?: Drawing };
export type DraftAnnouncement = Partial<AnnouncementBody> & { title: string; drawing?: Drawing };

/** An event of a calendar file; a rule as RFC 5545 has it. */
export interface NeighbourEvent {
  title: string;
  place: string;
  date: string;
  time: string;
  end_time: string;
  rule?: string;
}

export interface WorkspaceEvent {
  title: string;
  text: string;
  date: string;
  time: string;
  end_time: string;
}

export interface ElectionWords {
  title: string;
  description?: string;
  attachment_url?: string;
  options?: readonly string[];
  /** About the first options. */
  about?: readonly string[];
}
