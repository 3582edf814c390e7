import type { Html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type SubPage, subPages } from '#views/components/structure.ts';
import {
  MEETING_PAGE_OF,
  MEETING_PAGES,
  type MeetingPage,
  type MeetingSection,
  meetingPath,
} from '#views/meetings/words.ts';
import { MEETING_NAV, mayDo, type OfficerProps } from '#views/voting/admin/frame.ts';
import { sectionPath } from '#views/voting/words.ts';

type Props = OfficerProps & { meeting: MeetingPlace };

/** What the list of a meeting's sub-pages leads to: those of `meetingPage`, and pages of other kinds. */
type Entry = MeetingPage | 'links' | 'helpers' | 'door';

interface Row {
  label: Words;
  /** Whether this officer has something to do there, before the meeting is over. */
  isFor: (props: Props) => boolean;
  /** The address, where it is another one than that of a sub-page. */
  href?: (meeting: MeetingPlace) => string;
}

/** The sub-pages in the order of their list. After the meeting the first one is left. */
const ENTRIES: Readonly<Record<Entry, Row>> = {
  agenda: { label: t('meetings-admin.shared.agenda'), isFor: () => true },
  mails: { label: t('meetings-admin.sub_pages.invitations'), isFor: () => true },
  links: {
    label: t('meetings-admin.sub_pages.members_home'),
    isFor: ({ meeting }) => meeting.allows_remote && meeting.paper_id !== null,
    href: ({ paper_id }) => sectionPath({ id: paper_id ?? '', isPaper: true }, 'invitations'),
  },
  documents: {
    label: t('meetings-admin.shared.documents'),
    isFor: (props) => mayDo(props, 'elections:write'),
  },
  helpers: {
    label: t('meetings-admin.shared.helpers'),
    isFor: () => true,
    href: ({ id }) => `${meetingPath(id)}/helpers`,
  },
  details: {
    label: t('meetings-admin.shared.day_place_rules'),
    isFor: (props) => mayDo(props, 'elections:write'),
  },
  door: {
    label: t('meetings-admin.shared.door'),
    isFor: (props) => mayDo(props, 'meetings:door'),
    href: ({ id }) => `${meetingPath(id)}/door`,
  },
  // Whoever leads a meeting ends it.
  end: {
    label: t('meetings-admin.meeting.end_meeting'),
    isFor: (props) => mayDo(props, 'elections:write') || mayDo(props, 'elections:certify'),
  },
};

const isOpen = (entry: Entry, props: Props): boolean =>
  ENTRIES[entry].isFor(props) && (props.meeting.state !== 'closed' || entry === 'agenda');

/** The sub-pages that this officer has something to do on, in the state of the meeting. */
export const openPages = (props: Props): MeetingPage[] => MEETING_PAGES.filter((page) => isOpen(page, props));

const SECTIONS = Object.keys(MEETING_PAGE_OF) as MeetingSection[];

/** The links to the pages of a meeting, for its own pages and for those that belong to it. */
export const meetingLinks = (props: Props): SubPage[] =>
  (Object.keys(ENTRIES) as Entry[])
    .filter((entry) => isOpen(entry, props))
    .map((entry) => ({
      href: hrefOf(entry, props.meeting),
      label: ENTRIES[entry].label,
      anchors: SECTIONS.filter((section) => MEETING_PAGE_OF[section] === entry),
    }));

const hrefOf = (entry: Entry, meeting: MeetingPlace): string =>
  ENTRIES[entry].href?.(meeting) ?? meetingPath(meeting.id, entry as MeetingPage);

/**
 * The content beside the list of the meeting's pages, unless there is only one.
 * @param page the one that is shown; without one, a page that the list does not have
 */
export function besideMeeting(props: Props, content: Html, page?: Entry): Html {
  const pages = meetingLinks(props);
  if (pages.length === 1) return content;
  const current = page === undefined ? '' : hrefOf(page, props.meeting);
  return subPages({ label: MEETING_NAV, pages, current, content });
}
