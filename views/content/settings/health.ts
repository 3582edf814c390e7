import type { Identity } from '#kernel/access/permissions.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader, zoneNote } from '#views/components/structure.ts';
import { staffPage } from '#views/pub/staff-frame.ts';

const STATES: Record<Check['state'], Html> = {
  ok: badge('Fine', 'open'),
  attention: badge('Look at it', 'scheduled'),
  failing: badge('Not working', 'danger'),
  off: badge('Not used'),
};

export interface HealthPageProps {
  checks: readonly Check[];
  zone: string;
  identity: Identity | undefined;
}

/** The state of each part of the service, with what to do about problems. */
export function healthPage({ checks, zone, identity }: HealthPageProps): Html {
  const wanting = checks.filter(({ state }) => state === 'attention' || state === 'failing');
  const body = html`${pageHeader({
    title: 'Health',
    lede: 'How this service is now, and what to do where something is wrong.',
  })}
${
  wanting.length === 0
    ? notice('success', 'Everything that the club uses works.')
    : notice(
        'attention',
        `${counted(
          wanting.length,
          'thing needs',
          'things need',
        )} somebody: ${wanting.map(({ title }) => title).join(', ')}.`,
      )
}
<ul class="action-list" role="list">${checks.map(
    ({ title, state, text, remedy, link }) =>
      html`<li><div><h2 class="small-heading">${title} ${STATES[state]}</h2>
<p>${text}${remedy && html`<br>${remedy}`}</p></div>
${link && html`<a class="button button-quiet button-small" href="${link.href}">${link.label}</a>`}</li>\n`,
  )}</ul>
${zoneNote(zone)}`;
  return staffPage({ title: 'Health', body, nav: '/admin/health', identity });
}
