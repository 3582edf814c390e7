import { type Html, html } from '#kernel/html.ts';
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
        ? 'Nobody waits for a song.'
        : 'The pub is closed: nobody can ask for a song.'
      : waiting.length === 1
        ? 'One song waits.'
        : `${waiting.length} songs wait, in the order of play.`;
  return part({
    id: 'requests',
    title: 'Song requests',
    state: html`<p>${said}</p>`,
    controls: html`<ol class="asked-songs" role="list">${shown.map((row) => waitingRow(row, moment))}</ol>
${
  declined.length > 0 &&
  html`<details id="declined" name="tonight"><summary>Declined tonight: ${declined.length}</summary><div class="fold">
  <ul class="switches" role="list">${declined.map(
    (row) =>
      html`<li><span class="switch-label">${row.title}<span class="small soft">${row.artist}${
        row.reason && html`: ${row.reason}`
      }</span></span>${decide(row, 'pending', 'Put back', 'button-quiet', moment)}</li>`,
  )}</ul></div></details>`
}`,
  });
}

function waitingRow(row: Row, moment: Moment): Html {
  const { id, title, artist, votes, note, status, createdAt } = row;
  return html`<li><p class="asked-song"><span class="song-title">${title}</span> <span>${artist}</span>
<span class="small soft">${
    votes === 1 ? 'one vote' : `${votes} votes`
  }, asked ${ago(createdAt, moment)} <strong>${DECIDED[status]}</strong></span>${
    note && html`<span class="asked-note">“${note}”</span>`
  }</p>
<div class="controls">${decide(row, 'approved', 'Accept', '', moment)}${decide(
    row,
    'played',
    'Played',
    'button-quiet',
    moment,
  )}${decide(row, 'declined', 'Decline', 'button-danger-quiet', moment)}</div>
${formFold({
  id: `why-${id}`,
  group: 'tonight',
  summary: html`Decline, because …<span class="visually-hidden"> (${title})</span>`,
  action: `/admin/pub/requests/${id}`,
  hidden: { status: 'declined' },
  fields: html`${field({
    name: 'reason',
    id: `reason-${id}`,
    label: 'Reason, shown to the person who asked',
    maxlength: 120,
    autocomplete: 'off',
  })}<p><button class="button button-danger" id="do-because-${id}"
  formaction="/admin/pub/requests/${id}?at=do-declined-${id}">Decline</button></p>`,
})}</li>\n`;
}

const DECIDED: Partial<Record<Row['status'], string>> = {
  approved: 'Accepted',
  declined: 'Declined',
  played: 'Played',
};

/** The button of a decision keeps its place where it does nothing: a second tap must not hit another one. */
function decide(
  { id, title, status: now }: Row,
  status: string,
  label: string,
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
