/** What the pages of the content show of the screens, which a domain knows. */
export interface ContentDisplay {
  /** The coming days as people will read them, today first. */
  listDaysAhead(days: number): { date: string; hours: string | null; crew: string[] }[];
  /** All tenders, by name. */
  listTenders(): { id: string; name: string; active: boolean }[];
  /** Whether any opening hours are known. */
  knowsHours(): boolean;
}
