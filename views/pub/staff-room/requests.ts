import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { field } from '#views/components/forms.ts';
import { actButton, formFold, part } from './parts.ts';
import { ago, type Moment } from './words.ts';

type Requests = NonNullable<Overview['requests']>;
type Row = Requests['items'][number];

/** Song requests: approve, decline, or mark as played. */
export function requestsPart(requests: Requests, moment: Moment): Html {
  const isWaiting = ({ status }: Row) => status === 'pending' || status === 'approved';
  // A row stays in its place while its decision can be undone.
  const isShown = (row: Row) =>
    isWaiting(row) || ['played', 'declined'].some((decision) => moment.undo.has(`do-${decision}-${row.id}`));
  const shown = requests.items.filter(isShown);
  const waiting = requests.items.filter(isWaiting);
  const declined = requests.items.filter((row) => row.status === 'declined' && !shown.includes(row));
  const said =
    waiting.length === 0
      ? requests.open
        ? t('pub-staff.requests.waits_song')
        : t('pub-staff.requests.pub_closed_ask_song')
      : t('pub-staff.requests.songs_wait_order_play', { waiting: waiting.length });
  return part({
    id: 'requests',
    title: t('pub-staff.requests.song_requests'),
    state: html`<p>${said}</p>`,
    controls: html`<ol class="asked-songs" role="list">${shown.map((row) => waitingRow(row, moment))}</ol>
${
  declined.length > 0 &&
  html`<details id="declined" name="tonight"><summary>${t('pub-staff.requests.declined_tonight', { declined: declined.length })}</summary><div class="fold">
  <ul class="switches" role="list">${declined.map(
    (row) =>
      html`<li><span class="switch-label">${row.title}<span class="small soft">${
        row.reason ? t('common.named', { name: row.artist, value: row.reason }) : row.artist
      }</span></span>${decide(row, 'pending', t('pub-staff.requests.put_back'), 'button-quiet', moment)}</li>`,
  )}</ul></div></details>`
}`,
  });
}

function waitingRow(row: Row, moment: Moment): Html {
  const { id, title, artist, votes, note, status, createdAt } = row;
  return html`<li><p class="asked-song"><span class="song-title">${title}</span> <span>${artist}</span>
<span class="small soft">${t('pub-staff.requests.votes_asked', { votes, ago: ago(createdAt, moment) })} <strong>${DECIDED[status]}</strong></span>${
    note && html`<span class="asked-note">${t('common.quoted', { text: note })}</span>`
  }</p>
<div class="controls">${decide(row, 'approved', t('pub-staff.requests.accept'), '', moment)}${decide(
    row,
    'played',
    t('pub-staff.requests.played'),
    'button-quiet',
    moment,
  )}${decide(row, 'declined', t('pub-staff.requests.decline'), 'button-danger-quiet', moment)}</div>
${formFold({
  id: `why-${id}`,
  group: 'tonight',
  summary: t('pub-staff.requests.decline_because', { hidden, title }),
  action: `/admin/pub/requests/${id}`,
  hidden: { status: 'declined' },
  fields: html`${field({
    name: 'reason',
    id: `reason-${id}`,
    label: t('pub-staff.requests.reason_shown_person_who_asked'),
    maxlength: 120,
    autocomplete: 'off',
  })}<p><button class="button button-danger" id="do-because-${id}"
  formaction="/admin/pub/requests/${id}?at=do-declined-${id}">${t('pub-staff.requests.decline')}</button></p>`,
})}</li>\n`;
}

const hidden = (inside: Words): Html => html`<span class="visually-hidden">${inside}</span>`;

const DECIDED: Partial<Record<Row['status'], Words>> = {
  approved: t('pub-staff.requests.accepted'),
  declined: t('pub-staff.requests.declined'),
  played: t('pub-staff.requests.played'),
};

/** The button of a decision keeps its place where it does nothing: a second tap must not hit another one. */
function decide(
  { id, title, status: now }: Row,
  status: string,
  label: Words,
  look: string,
  moment: Moment,
): Html {
  const action = `/admin/pub/requests/${id}`;
  const disabled = now === status || (now !== 'pending' && now !== 'approved' && status !== 'pending');
  return html`<form method="post" action="${action}" data-quiet>${actButton(
    { id: `do-${status}-${id}`, action, label, name: 'status', value: status, about: title, look, disabled },
    moment,
  )}</form>`;
}
