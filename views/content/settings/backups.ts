import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';

export interface BackupsPageProps {
  /** The newest first; times and sizes are formatted. */
  backups: readonly { name: string; made: string; size: string; verified: boolean }[];
  keep: number;
  /** When the service makes the next one; undefined if it makes none. */
  next: string | undefined;
  /** Until when voting is open, if it is. */
  votingUntil: string | undefined;
  isRunning: boolean;
  failure: { when: string; error: string } | undefined;
  /** Undefined for a database in memory. */
  place: { folder: string; key: string } | undefined;
  /** Whether the key of the service is a file, and not in its environment. */
  keyIsFile: boolean;
  isOwner: boolean;
  done: string | undefined;
  refused: Words | undefined;
  zone: string;
  identity: Identity | undefined;
}

/** The backups: the last, the next, one that is made now, the files for owners, and where else to keep them. */
export function backupsPage(props: BackupsPageProps): Html {
  const { place, failure, done, refused, zone, identity, isRunning } = props;
  const crumbs = [{ href: groupPath('backups'), label: 'Settings' }];
  const body = html`${pageHeader({ title: 'Backups', crumbs, lede: 'Copies of all data, to restore after a broken disk or a mistake.' })}
${doneNotice(done)}${refused !== undefined && html`<div role="alert">${notice('attention', refused, 'No backup was made')}</div>`}
${
  failure &&
  notice(
    'danger',
    html`<p>${failure.error} Tried ${failure.when}; the service will try again.
The earlier backups are kept.</p>`,
    'The last backup could not be made',
  )
}
${place ? html`${facts(props)}${!isRunning && makeOne(props)}${list(props)}${zoneNote(zone)}${keepThem(props, place)}` : empty('No backups', 'The database of this service is in memory and ends with it.')}`;
  return staffPage({ title: 'Backups', body, nav: '/admin/backups', identity });
}

function facts({ backups, next, votingUntil, isRunning }: BackupsPageProps): Html {
  const last = backups.find(({ verified }) => verified);
  return definitionList([
    ['Last', last ? `${last.made}, ${last.size}, checked` : 'None so far'],
    [
      'Next',
      isRunning
        ? 'It is being made now'
        : next === undefined
          ? html`None scheduled: <a href="${groupPath('backups')}">turn on nightly backups</a>`
          : votingUntil === undefined
            ? next
            : `${next}. While voting is open it waits for the close`,
    ],
  ]);
}

/** The button; while voting is open, the question first. */
function makeOne({ votingUntil }: BackupsPageProps): Html {
  if (votingUntil === undefined)
    return html`<form method="post" action="/admin/backups"><p class="actions"><button class="button">Make a
    backup now</button></p></form>`;
  return disclosure(
    'Make a backup now',
    html`<p>Voting is open until ${votingUntil}. A backup made now shows who has voted so far; after a single vote also
that vote. Two backups show which votes came between them. Anyone who has the files can read it.</p>
<form method="post" action="/admin/backups">${hiddenInputs({ now: 'true' })}<p class="actions"><button
class="button button-danger">Make one all the same</button></p></form>`,
  );
}

function list({ backups, keep, isOwner }: BackupsPageProps): Html | null {
  if (backups.length === 0) return null;
  return html`<section class="panel" aria-labelledby="files"><h2 id="files">The files</h2>
<p>The newest ${keep === 1 ? 'one is' : `${count(keep)} are`} kept.${
    isOwner
      ? ' Before a download you confirm that it is you.'
      : ' An owner can download them: they hold everything that the club knows.'
  }</p>
${table({
  caption: 'Backups',
  quietCaption: true,
  columns: [
    { label: 'Made' },
    { label: 'Size', number: true },
    { label: 'State' },
    ...(isOwner ? [{ label: 'Download', quiet: true }] : []),
  ],
  rows: backups.map(({ name, made, size, verified }) => [
    made,
    size,
    verified ? badge('Checked', 'open') : badge('Damaged', 'danger'),
    ...(isOwner
      ? [
          verified &&
            html`<a class="button button-quiet button-small" href="/api/admin/backups/${name}">Download<span
            class="visually-hidden">: ${made}</span></a>`,
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
  return html`<section class="panel" aria-labelledby="elsewhere"><h2 id="elsewhere">Keep copies elsewhere, too</h2>
<p>These files are on the machine of the service. If it breaks, burns or is stolen, they are gone with it.</p>
<ul>
<li>${isOwner ? 'Download the newest one' : 'Ask an owner to download the newest one'} each month, to a memory stick in a
locked drawer or to a computer in another house. Treat it as the member list: it holds names and addresses.</li>
<li>Or ask the server’s administrator to copy the folder <code>${folder}</code> to another machine each day.</li>
<li>${
    keyIsFile
      ? html`Once, keep a copy of the key in a third place: the file <code>${key}</code>, which no backup contains.`
      : html`Keep a copy of SECRET_KEY, which no backup contains, in a third place.`
  } Without it, after a restore, the links in calendar mails do not work any more, and the addresses of calendars that the club
reads must be entered again.</li>
</ul>
<h3>To restore a backup</h3>
<ol><li>The server’s administrator stops the service, runs <code>npm run restore</code>, and starts it again. Everybody is signed
out then, and codes do not come by mail yet.</li>
<li>Sign in with one of your <a href="/me">recovery codes</a>: keep them on paper. Without one the
administrator runs <code>npm run admin -- sign-in-link</code> with your address, which prints a link.</li>
<li><a href="/admin/settings">Enter the passwords of the settings again</a>, that of mail first: no backup contains
them.</li></ol></section>`;
}
