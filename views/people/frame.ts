import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { namedErrors } from '#views/components/entered.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';

export interface PeoplePageProps {
  identity: Identity | undefined;
  /** What has just been done, as a sentence. */
  done?: string | undefined;
  refused?: RefusedForm | undefined;
}

/** A page of the roll of members. */
export function peoplePage(title: string, body: Html, { identity, refused }: PeoplePageProps): Html {
  return staffPage({
    title: refused ? `Please check: ${title}` : title,
    body,
    nav: '/admin/people',
    identity,
    head: stylesheets('people/people.css'),
  });
}

/** The problems of a form: a link to each field that has one, or one sentence. */
export function refusedNotice(
  refused: RefusedForm | undefined,
  labels: Readonly<Record<string, string>>,
  idOf: (path: string) => string = (path) => path,
): Html | null {
  if (!refused) return null;
  const { errors, message } = refused;
  if (errors.length > 0) return errorSummary(namedErrors(errors, labels), idOf, 'Nothing was changed yet');
  return html`<div role="alert">${notice('danger', message, 'Nothing was changed')}</div>`;
}

/** The address of a person's page. */
export const personPath = (id: string): string => `/admin/people/${encodeURIComponent(id)}`;
