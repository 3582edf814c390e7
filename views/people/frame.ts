import type { Identity } from '#kernel/access/permissions.ts';
import type { Html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';

export interface PeoplePageProps {
  identity: Identity | undefined;
  /** What has just been done, as a sentence. */
  done?: Words | string | undefined;
  refused?: RefusedForm | undefined;
}

/** A page of the roll of members. @param nav the link of the navigation to mark */
export function peoplePage(
  title: Words | string,
  body: Html,
  { identity }: PeoplePageProps,
  nav = '/admin/people',
): Html {
  return staffPage({
    title,
    body,
    nav,
    identity,
    head: stylesheets('people/people.css'),
  });
}

/** The address of a person's page. */
export const personPath = (id: string): string => `/admin/people/${encodeURIComponent(id)}`;
