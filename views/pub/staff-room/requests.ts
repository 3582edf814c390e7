import { type Html, html } from '#kernel/html.ts';
import type { Overview } from '#pub/room/overview.ts';
import { field } from '#views/components/forms.ts';
import { badge } from '#views/components/status.ts';
import { formFold, part } from './parts.ts';
import { ago, type Moment } from './words.ts';

type Requests = NonNullable<Overview['requests']>;
type Row = Requests['items'][number];

/** Song requests: approve, decline, or mark as played. */
export function requestsPart(requests: Requests, moment: Moment): Html {
  const waiting = requests.items.filter(({ status }) => status === 'pending' || status === 'approved');
  const declined = requests.items.filter(({ status }) => status === 'declined');
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
    controls: html`<ol class="asked-songs" role="list">${waiting.map((row) => waitingRow(row, moment))}</ol>
${
  declined.length > 0 &&
  html`<details id="declined"><summary>Declined tonight: ${declined.length}</summary><div class="fold"><ul class="switches" role="list">${declined.map(
    (row) =>
      html`<li><span class="switch-label">${row.title}<span class="small soft">${row.artist}${row.reason && html`: ${row.reason}`}</span></span>${decide(row, 'pending', 'Put back', 'button-quiet')}</li>`,
  )}</ul></div></details>`
}`,
  });
}

function waitingRow(row: Row, moment: Moment): Html {
  const { id, title, artist, votes, note, status, createdAt } = row;
  return html`<li><p class="asked-song"><span class="song-title">${title}</span> <span>${artist}</span>
<span class="small soft">${votes === 1 ? 'one vote' : `${votes} votes`}, asked ${ago(createdAt, moment)}</span>${note && html`<span class="asked-note">“${note}”</span>`}${status === 'approved' && badge('Yes', 'open')}</p>
<div class="controls">${status === 'pending' && decide(row, 'approved', 'Yes', '')}${decide(row, 'played', 'Played', 'button-quiet')}${decide(row, 'declined', 'No', 'button-danger-quiet')}</div>
${formFold({
  id: `why-${id}`,
  summary: html`No, because …<span class="visually-hidden"> (${title})</span>`,
  action: `/admin/pub/requests/${id}`,
  hidden: { status: 'declined' },
  fields: html`${field({ name: 'reason', id: `reason-${id}`, label: 'Reason, shown to whoever asked', maxlength: 120, autocomplete: 'off' })}<p><button class="button button-danger">Decline</button></p>`,
})}</li>\n`;
}

function decide({ id, title }: Row, status: string, words: string, look: string): Html {
  return html`<form method="post" action="/admin/pub/requests/${id}" data-quiet><button class="button ${look}" id="do-${status}-${id}" name="status" value="${status}">${words}<span class="visually-hidden">: ${title}</span></button></form>`;
}
