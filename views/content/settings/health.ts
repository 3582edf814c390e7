import type { Identity } from '#kernel/access/permissions.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { staffPage, tryNow } from '#views/pub/staff-frame.ts';

/** In the order of the table: what is wrong comes first. */
const STATES: Record<Check['state'], Html> = {
  failing: badge('Not working', 'danger'),
  attention: badge('Look at it', 'scheduled'),
  ok: html`<span class="soft">Fine</span>`,
  off: html`<span class="soft">Not used</span>`,
};
const ORDER = Object.keys(STATES);

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
${table({
  caption: 'The parts of the service',
  quietCaption: true,
  flows: true,
  columns: [
    { label: 'What' },
    { label: 'State' },
    { label: 'How it is' },
    { label: 'What can be done', quiet: true },
  ],
  rows: checks
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
    .map(({ title, state, text, remedy, link, source }) => [
      title,
      STATES[state],
      html`${text}${remedy && html` ${remedy}`}`,
      html`${link && html`<a class="link-alone" href="${link.href}">${link.label}</a>`}${
        source !== undefined && tryNow(source, title, '/admin/health')
      }`,
    ]),
})}
${zoneNote(zone)}`;
  return staffPage({ title: 'Health', body, nav: '/admin/health', identity });
}
