import { type Html, html } from '#kernel/html.ts';
import type { Identity, Permission } from '#kernel/permissions.ts';
import { asset } from '../assets.ts';
import { icon } from '../components/icons.ts';
import { type NavLink, page } from '../layout.ts';

/** What every page behind the bar is made of: the pub's and the calendar's. */
export interface StaffPageProps {
  title: string;
  body: Html;
  /** The address of the navigation link that this page is. */
  nav: string;
  /** Who is there; the navigation holds only what they may open. */
  identity: Identity | undefined;
  scripts?: readonly string[] | undefined;
  head?: Html | undefined;
}

/** Every page of the staff, with what it takes to read it. */
const STAFF_LINKS: readonly (NavLink & { needs?: Permission })[] = [
  { href: '/admin/pub', label: 'Pub' },
  { href: '/admin/feedback', label: 'Feedback', needs: 'feedback:read' },
  { href: '/admin/calendar', label: 'Calendar', needs: 'calendar:read' },
  { href: '/admin/pub/roles', label: 'Roles', needs: 'roles:read' },
  { href: '/admin/pub/audit', label: 'Audit log', needs: 'audit:read' },
];

/** A page of the staff: big targets, dark where the phone is, and who is signed in at its end. */
export function staffPage({ identity, body, head, ...rest }: StaffPageProps): Html {
  const links = STAFF_LINKS.filter(({ needs }) => !needs || identity?.permissions.has(needs));
  return page({
    ...rest,
    area: 'staff',
    links,
    head: html`<link rel="stylesheet" href="${asset('staff.css')}">\n${head}`,
    body: html`${body}${identity && html`<p class="small soft signed-in">You are here as ${identity.who}.</p>`}`,
  });
}

/** What has just been done, said aloud when the page opens. */
export function doneNotice(sentence: string | undefined): Html | null {
  return sentence === undefined
    ? null
    : html`<div class="notice notice-success" role="status">${icon('check')}<div class="notice-body"><p>${sentence}</p></div></div>`;
}
