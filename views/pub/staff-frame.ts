import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { icon } from '#views/components/icons.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** What every staff page is made of: the pub's and the calendar's. */
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

/** A page of the staff: big targets, dark where the phone is. */
export function staffPage({ identity, head, ...rest }: StaffPageProps): Html {
  return page({
    ...rest,
    area: 'staff',
    viewer: identity,
    head: html`${stylesheets('staff')}${head}`,
  });
}

/** What has just been done, announced when the page opens. */
export function doneNotice(sentence: string | undefined): Html | null {
  return sentence === undefined
    ? null
    : html`<div class="notice notice-success" role="status">${icon('check')}<div class="notice-body"><p>${sentence}</p></div></div>`;
}
