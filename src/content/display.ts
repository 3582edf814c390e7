import type { Words } from '#kernel/language/words.ts';
import type { Body } from './records/kind.ts';

/** A slide in the format of the screen feed. */
export interface PreviewSlide {
  type: string;
  title: string;
  body?: string;
  name?: string;
  imageUrl: string;
}

/** A person behind the bar, for whoever plans the roster; `imageUrl` is empty without a photo. */
export interface RosterTender {
  id: string;
  name: string;
  /** The first name. */
  first: string;
  active: boolean;
  imageUrl: string;
  imageFocus?: number;
}

/** What the content pages show about the screens; implemented by the domain that knows them. */
export interface ContentDisplay {
  /** The opening hours and crew of the coming days as the public sees them, today first. */
  listDaysAhead(days: number): { date: string; hours: Words | null; crew: string[] }[];
  /** All tenders, by name. */
  listTenders(): RosterTender[];
  /** The screens and screen groups that a slide can be limited to, by the names that staff gave them. */
  listScreenNames(): { name: string; isGroup: boolean }[];
  /** The slide that the main screen shows for a record; undefined for a record that is not shown as a slide. */
  previewSlide(kind: string, id: string, body: Body): PreviewSlide | undefined;
  /** How often the paired screens showed a record, by local day and screen; empty for one that is counted nowhere. */
  listShown(kind: string, id: string): { day: string; screen: string; times: number }[];
  /** The workspace's events, for the screens and the calendar; times in milliseconds. */
  listWorkspaceEvents(): { title: string; start: number }[];
  /** Whether any opening hours are known. */
  knowsHours(): boolean;
  /** The workspace pages that are shown without having been imported; undefined until all of them have been read. */
  listWorkspacePages(): WorkspacePart[] | undefined;
  /** The number of elections that are not closed and are synchronized with a page in the workspace. */
  countFollowedElections(): number;
}

/** A workspace page whose content is shown. */
export interface WorkspacePart {
  /** The page's id; undefined if it was stored before ids were. */
  id: string | undefined;
  kind: string;
  title: string;
}
