/** The tables of the calendar domain. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the calendar's migration
export interface CalendarTables {}
