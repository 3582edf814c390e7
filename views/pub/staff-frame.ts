import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** The parts of a page of staff. */
export interface StaffPageProps {
  /** `staff` for pages that are used behind the bar: large touch targets. */
  area?: 'staff' | 'officer';
  title: Words | string;
  body: Html;
  /** The address of the navigation link to mark as current. */
  nav: string;
  /** The signed-in user; the navigation holds only what they may open. */
  identity: Identity | undefined;
  scripts?: readonly string[] | undefined;
  head?: Html | undefined;
  /** See `PageProps`. */
  givesAddress?: string | true | undefined;
}

/** A page of those who work here. */
export function staffPage({ identity, head, area = 'officer', ...rest }: StaffPageProps): Html {
  return page({
    ...rest,
    area,
    viewer: identity,
    head: html`${stylesheets('staff')}${head}`,
  });
}

/** The notice of what was just done, announced when the page opens. */
export function doneNotice(sentence: Words | string | undefined): Html | null {
  return sentence === undefined
    ? null
    : html`<div class="notice notice-success" role="status">${icon('check')}<div class="notice-body">
    <p>${sentence}</p></div></div>`;
}

/** The button that asks a source again. @param back the page that it is on */
export const tryNow = (source: string, title: Words | string, back: string): Html =>
  html`<form class="try-now" method="post" action="/admin/pub/sources/${source}">${hiddenInputs({
    next: back,
  })}<button class="button button-quiet button-small">${t('pub-staff.staff_frame.try_now', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, title })}</button></form>`;
