import type { Identity } from '#kernel/access/permissions.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { staffPage, tryNow } from '#views/pub/staff-frame.ts';

/** In the order of the table: what is wrong comes first. */
const STATES: Record<Check['state'], Html> = {
  failing: badge(t('settings.health.working'), 'danger'),
  attention: badge(t('settings.health.look'), 'scheduled'),
  ok: html`<span class="soft">${t('settings.health.fine')}</span>`,
  off: html`<span class="soft">${t('settings.health.used')}</span>`,
};
const ORDER = Object.keys(STATES);

export interface HealthPageProps {
  checks: readonly Check[];
  zone: Words;
  identity: Identity | undefined;
}

/** The state of each part of the service, with what to do about problems. */
export function healthPage({ checks, zone, identity }: HealthPageProps): Html {
  const wanting = checks.filter(({ state }) => state === 'attention' || state === 'failing');
  const body = html`${pageHeader({
    title: t('settings.health.health'),
    lede: t('settings.health.how_service_now_what_where'),
  })}
${
  wanting.length === 0
    ? notice('success', t('settings.health.everything_club_uses_works'))
    : notice(
        'attention',
        t('settings.health.things_need_somebody', {
          n: wanting.length,
          names: commas(wanting.map(({ title }) => title)) ?? '',
        }),
      )
}
${table({
  caption: t('settings.health.parts_service'),
  quietCaption: true,
  flows: true,
  columns: [
    { label: t('settings.health.what') },
    { label: t('settings.health.state') },
    { label: t('settings.health.how') },
    { label: t('settings.health.what_done'), quiet: true },
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
  return staffPage({ title: t('settings.health.health'), body, nav: '/admin/health', identity });
}
