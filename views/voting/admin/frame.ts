import type { Viewer } from '#kernel/access/permissions.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { type Crumb, subPages } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { calledOf, type Named, type OfMeeting } from '#views/voting/words.ts';

/** The data that every officer page gets in addition to its own. */
export interface OfficerProps {
  viewer?: Viewer | undefined;
}

/** Whether the signed-in officer has a permission; buttons that would be refused are not shown. */
export function mayDo({ viewer }: OfficerProps, permission: Permission): boolean {
  return viewer?.granted?.has(permission) ?? true;
}

/** The form, disabled for officers without the permission, and why. */
export function lockedUnless(props: OfficerProps, permission: Permission, form: Html): Html {
  if (mayDo(props, permission)) return form;
  return html`<p class="small soft">${t('voting-admin.frame.roles_read_change')}</p><fieldset disabled>${form}</fieldset>`;
}

/** A page of the officers' area, with the scripts they all share. */
export function officerPage(props: {
  title: Words | string;
  body: Html;
  nav: string;
  viewer: Viewer | undefined;
  scripts?: readonly string[] | undefined;
  /** Further elements for the head. */
  head?: Html | undefined;
  /** See `PageProps`. */
  givesAddress?: string | true | undefined;
}): Html {
  const { scripts = [], head, ...rest } = props;
  return page({
    ...rest,
    area: 'officer',
    scripts: ['base/copy.js', 'admin/admin.js', ...scripts],
    head: html`${stylesheets('officers')}${head}`,
  });
}

/** The warning for some minutes after the clock of the machine was changed. */
export function clockNotice(): Html {
  return notice(
    'danger',
    t('voting-admin.frame.elections_open_close_closed_meanwhile'),
    t('voting-admin.frame.clock_machine_jumped'),
  );
}

/** The panel that asks for a confirmation, with the way back. */
export const askSection = (panel: Html, back: string, no = t('voting-admin.frame.leave_everything')): Html =>
  html`<section id="ask" class="ask" aria-labelledby="ask-title">
  <h2 class="visually-hidden" id="ask-title">${t('voting-admin.frame.please_confirm')}</h2>${panel}
<p><a class="button button-quiet" href="${back}">${no}</a></p></section>`;

/** The label of the links to the pages of a meeting. */
export const MEETING_NAV = t('voting-admin.frame.pages_meeting');

/** A meeting as the way to a page about its votes. */
export type MeetingPlace = Pick<OfMeeting, 'title' | 'href'>;

/** The way to a page about an election or a ballot paper: through its meeting, where it has one. */
export const crumbsTo = (meeting: MeetingPlace | undefined, ...own: readonly Crumb[]): Crumb[] =>
  meeting
    ? [
        { href: '/admin/meetings', label: t('voting-admin.frame.meetings') },
        { href: meeting.href, label: meeting.title },
      ]
    : [{ href: '/admin', label: t('voting-admin.frame.elections') }, ...own];

/** The content of a page about an election or a ballot paper, beside the pages of its meeting, where it has one. */
export const inMeeting = (meeting: OfMeeting | undefined, content: Html): Html =>
  meeting ? subPages({ label: MEETING_NAV, pages: meeting.pages, current: '', content }) : content;

/** The place of such a page in the navigation. */
export const navOf = (meeting: MeetingPlace | undefined): string => (meeting ? '/admin/meetings' : '/admin');

/** A section of an officer's page: its title and description beside its content. */
export function pageSection(props: {
  id: string;
  title: Words | string;
  about?: Child;
  work: Child;
  /** Not printed, because it has only controls. */
  screenOnly?: boolean;
}): Html {
  const { id, title, about, work, screenOnly } = props;
  return html`<section class="panel split${screenOnly && ' screen-only'}" id="${id}" aria-labelledby="${id}-title">
<div class="split-about"><h2 id="${id}-title">${title}</h2>${about && html`<p class="small soft">${about}</p>`}</div>
<div class="split-work">${work}</div></section>
`;
}

/** The crumb of an election or a ballot paper that is there already. */
export const thisOne = (of: Pick<Named, 'isPaper'>): Words =>
  t('voting-admin.frame.this', { called: calledOf(of) });

/** The label of the button that leads back to it. */
export const backTo = (of: Pick<Named, 'isPaper'>): Words =>
  t('voting-admin.frame.back', { called: calledOf(of) });
