import type { Body } from './records/kind.ts';

/** A slide as the feed of the screens spells it. */
export interface PreviewSlide {
  type: string;
  title: string;
  body?: string;
  name?: string;
  imageUrl: string;
}

/** What the pages of the content show of the screens, which a domain knows. */
export interface ContentDisplay {
  /** The coming days as people will read them, today first. */
  listDaysAhead(days: number): { date: string; hours: string | null; crew: string[] }[];
  /** All tenders, by name. */
  listTenders(): { id: string; name: string; active: boolean }[];
  /** Screens and groups of them that a slide can be limited to, by the names that staff gave them. */
  listScreenNames(): { name: string; isGroup: boolean }[];
  /** What the main screen shows of a record; undefined for what is no slide. */
  previewSlide(kind: string, id: string, body: Body): PreviewSlide | undefined;
  /** What the workspace holds of events, for the screens and for the calendar; times in milliseconds. */
  listWorkspaceEvents(): { title: string; start: number }[];
  /** Whether any opening hours are known. */
  knowsHours(): boolean;
  /** What is shown of pages of the workspace that were not imported; undefined while it was not read whole. */
  listWorkspacePages(): WorkspacePart[] | undefined;
  /** Elections that are not closed and whose page in the workspace follows them. */
  countFollowedElections(): number;
}

/** Something that is shown of the workspace. */
export interface WorkspacePart {
  /** Of its page; undefined where it was stored before ids were. */
  id: string | undefined;
  kind: string;
  title: string;
}
