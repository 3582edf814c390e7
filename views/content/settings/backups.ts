import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';

export interface BackupsPageProps {
  /** The newest first; times and sizes are formatted. */
  backups: readonly { name: string; made: Words; size: Words; verified: boolean }[];
  keep: number;
  /** When the service makes the next one; undefined if it makes none. */
  next: Words | undefined;
  /** Until when voting is open, if it is. */
  votingUntil: Words | undefined;
  isRunning: boolean;
  failure: { when: Words; error: Words } | undefined;
  /** Undefined for a database in memory. */
  place: { folder: string; key: string } | undefined;
  /** Whether the key of the service is a file, and not in its environment. */
  keyIsFile: boolean;
  isOwner: boolean;
  done: Words | undefined;
  refused: Words | undefined;
  zone: Words;
  identity: Identity | undefined;
}

/** The backups: the last, the next, one that is made now, the files for owners, and where else to keep them. */
export function backupsPage(props: BackupsPageProps): Html {
  const { place, failure, done, refused, zone, identity, isRunning } = props;
  const crumbs = [{ href: groupPath('backups'), label: t('settings.backups.settings') }];
  const body = html`${pageHeader({ title: t('settings.backups.backups'), crumbs, lede: t('settings.backups.copies_all_data_restore_after') })}
${doneNotice(done)}${refused !== undefined && html`<div role="alert">${notice('attention', refused, t('settings.backups.backup_made'))}</div>`}
${
  failure &&
  notice(
    'danger',
    html`<p>${t('settings.backups.tried_service_try_again_earlier', { error: failure.error, when: failure.when })}</p>`,
    t('settings.backups.last_backup_made'),
  )
}
${place ? html`${facts(props)}${!isRunning && makeOne(props)}${list(props)}${zoneNote(zone)}${keepThem(props, place)}` : empty(t('settings.backups.no_backups'), t('settings.backups.database_service_memory_ends'))}`;
  return staffPage({ title: t('settings.backups.backups'), body, nav: '/admin/backups', identity });
}

function facts({ backups, next, votingUntil, isRunning }: BackupsPageProps): Html {
  const last = backups.find(({ verified }) => verified);
  return definitionList([
    [
      t('settings.backups.last'),
      last
        ? t('settings.backups.newest_checked', { made: last.made, last: last.size })
        : t('settings.backups.none_far'),
    ],
    [
      t('settings.backups.next'),
      isRunning
        ? t('settings.backups.being_made_now')
        : next === undefined
          ? html`${t('settings.backups.none_scheduled_turn_nightly_backups', { link: (inside) => html`<a href="${groupPath('backups')}">${inside}</a>` })}`
          : votingUntil === undefined
            ? next
            : t('settings.backups.while_voting_open_waits_close', { next }),
    ],
  ]);
}

/** The button; while voting is open, the question first. */
function makeOne({ votingUntil }: BackupsPageProps): Html {
  if (votingUntil === undefined)
    return html`<form method="post" action="/admin/backups"><p class="actions"><button class="button">${t('settings.backups.make_backup_now')}</button></p></form>`;
  return disclosure(
    t('settings.backups.make_backup_now'),
    html`<p>${t('settings.backups.voting_open_until_backup_made', { until: votingUntil })}</p>
<form method="post" action="/admin/backups">${hiddenInputs({ now: 'true' })}<p class="actions"><button
class="button button-danger">${t('settings.backups.make_all_same')}</button></p></form>`,
  );
}

function list({ backups, keep, isOwner }: BackupsPageProps): Html | null {
  if (backups.length === 0) return null;
  return html`<section class="panel" aria-labelledby="files"><h2 id="files">${t('settings.backups.files')}</h2>
<p>${t('settings.backups.newest_kept', { keep })} ${
    isOwner ? t('settings.backups.confirm_before_download') : t('settings.backups.owner_downloads')
  }</p>
${table({
  caption: t('settings.backups.backups'),
  quietCaption: true,
  columns: [
    { label: t('settings.backups.made') },
    { label: t('settings.backups.size'), number: true },
    { label: t('settings.backups.state') },
    ...(isOwner ? [{ label: t('settings.backups.download'), quiet: true }] : []),
  ],
  rows: backups.map(({ name, made, size, verified }) => [
    made,
    size,
    verified ? badge(t('settings.backups.checked'), 'open') : badge(t('settings.backups.damaged'), 'danger'),
    ...(isOwner
      ? [
          verified &&
            html`<a class="button button-quiet button-small" href="/api/admin/backups/${name}">${t(
              'settings.backups.download_made',
              {
                span: (inside) => html`<span
            class="visually-hidden">${inside}</span>`,
                made,
              },
            )}</a>`,
        ]
      : []),
  ]),
})}</section>`;
}

/** Where else to keep copies, for people who run no servers. */
function keepThem(
  { keyIsFile, isOwner }: BackupsPageProps,
  { folder, key }: NonNullable<BackupsPageProps['place']>,
): Html {
  return html`<section class="panel" aria-labelledby="elsewhere"><h2 id="elsewhere">${t('settings.backups.keep_copies_elsewhere_too')}</h2>
<p>${t('settings.backups.these_files_machine_service_breaks')}</p>
<ul>
<li>${isOwner ? t('settings.backups.download_newest_each_month_memory') : t('settings.backups.ask_owner_download_newest_each')}</li>
<li>${t('settings.backups.ask_servers_administrator_copy_folder', { folder: html`<code>${folder}</code>` })}</li>
<li>${
    keyIsFile
      ? html`${t('settings.backups.once_keep_copy_key_third', { key: html`<code>${key}</code>` })}`
      : html`${t('settings.backups.keep_copy_secret_key_which')}`
  } ${t('settings.backups.without_after_restore_links_calendar')}</li>
</ul>
<h3>${t('settings.backups.restore_backup')}</h3>
<ol><li>${t('settings.backups.servers_administrator_stops_service_runs', { code: html`<code>npm run restore</code>` })}</li>
<li>${t('settings.backups.sign_recovery_codes_keep_paper', { link: (inside) => html`<a href="/me">${inside}</a>`, code: html`<code>npm run admin -- sign-in-link</code>` })}</li>
<li>${t('settings.backups.enter_passwords_settings_again_mail', { link: (inside) => html`<a href="/admin/settings">${inside}</a>` })}</li></ol></section>`;
}
