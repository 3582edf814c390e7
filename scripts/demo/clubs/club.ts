// The data that differs between the clubs of the demo: names, texts and dates. The code that uses it is the same.
import type { EventBody } from '#content/events/body.ts';
import type { AnnouncementBody } from '#content/kinds/announcement.ts';
import type { FakeGame } from '#test/stand-ins/scoreboard-server.ts';
import type { Around } from '../around.ts';

export interface DemoClub {
  settings: {
    club_name: string;
    short_name: string;
    about: string;
    contact: string;
    accent?: string;
  } & Partial<Record<'locale' | 'time_zone' | 'sports_leagues', string>> & {
      weather: { place: string; lat: number; lon: number };
    };
  /** Six people who appear in the roll, the mails and the subscriptions. */
  people: readonly string[];
  /** Names of the other members, separated by spaces. */
  firstNames: string;
  lastNames: string;
  /** Kinds of membership; most members have the first. */
  kinds: readonly [string, ...string[]];
  /** A group of the roll, which elects the treasurer. */
  group: string;
  tenders: readonly { name: string; bio: string; tips: readonly [string, string] }[];
  hours: { note: string; early: string; closed: string };
  events(at: Around): Draft<EventBody>[];
  announcements(at: Around): DraftAnnouncement[];
  /** The bar’s list; the prices are in `currency`. */
  currency: string;
  menu: readonly { title: string; kind: 'drinks' | 'food'; on_tap?: true; items: readonly MenuItem[] }[];
  /** A TV that shows the list from six to eleven in the evening. */
  screen: { name: string; place: string };
  /** Alternative texts of the generated pictures. */
  pictures: Record<Drawing, string>;
  /** An external calendar. */
  neighbour: { name: string; prefix: string; events(at: Around): NeighbourEvent[] };
  /** Content that the club still has in its workspace. */
  workspace: { events(at: Around): WorkspaceEvent[]; announcement: { title: string; text: string } };
  elections: Record<ElectionKey, ElectionWords>;
  /** A ballot paper of four questions. */
  board: {
    title: string;
    chair: { title: string; candidates: readonly string[] };
    /** Three of these are elected. */
    committee: { title: string; candidates: readonly string[] };
    treasurer: { title: string };
    rules: { title: string; description: string };
  };
  /** An election that was counted on paper at a meeting. */
  paper: {
    title: string;
    certified_by: string;
    notes: string;
    contests: { label: string; items: { label: string; votes: number }[] }[];
  };
  /** The annual meeting. The committee is elected from the first of `people`, each with a text. */
  meeting: {
    title: string;
    place: string;
    discharge: MotionWords;
    committee: { title: string; about: readonly string[] };
    rules: MotionWords;
    /** The motion that a member hands in: it comes after the third item. */
    handedIn: { title: string; text: string; reason: string };
    /** A document of the meeting, with its lines; it belongs to the discharge. */
    accounts: { title: string; lines: readonly string[] };
    end: string;
  };
  feedback: readonly { message: string; rating: number; name?: string; contact?: string }[];
  films: readonly { title: string; artist: string; songs: readonly string[] }[];
  games: readonly Pick<FakeGame, 'league' | 'home' | 'away' | 'channels'>[];
}

/** A thing on the bar's list: its size and its price in whole minor units. */
export interface MenuItem {
  name: string;
  maker?: string;
  style?: string;
  abv?: number;
  size: string;
  price: number;
}

export type Drawing = 'roof' | 'band';

/** The elections of a demo: each club words them, `elections.ts` has their shapes. */
export type ElectionKey =
  | 'treasurer'
  | 'budget'
  | 'trip'
  | 'evenings'
  | 'sundays'
  | 'steward'
  | 'rooms'
  | 'dogs'
  | 'dinner'
  | 'guests'
  | 'president'
  | 'committee'
  | 'trustees';

type Draft<Body extends { title: string }> = Partial<Body> &
  Pick<Body, 'title'> & { date: string; drawing?: Drawing };
export type DraftAnnouncement = Partial<AnnouncementBody> & { title: string; drawing?: Drawing };

/** An event of a calendar file; `rule` is a recurrence rule (RRULE) of RFC 5545. */
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

interface MotionWords {
  title: string;
  text: string;
  mover: string;
}

export interface ElectionWords {
  title: string;
  description?: string;
  attachment_url?: string;
  options?: readonly string[];
  /** Texts about the first options, in their order. */
  about?: readonly string[];
}
