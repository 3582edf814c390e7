import { type Html, html } from '#kernel/html.ts';
import type { HiddenName } from '#pub/requests/hidden-names.ts';
import type { StaffPlay } from '#pub/setlist/moderation.ts';
import { field } from '#views/components/forms.ts';
import { actButton, formFold, part } from './parts.ts';
import { clock, type Moment } from './words.ts';

/** The latest plays: hide one, correct it, never show its song or artist again, or download the list. */
export function setlistPart(
  plays: readonly StaffPlay[],
  names: readonly HiddenName[],
  moment: Moment,
): Html | null {
  return part({
    id: 'setlist',
    title: 'Heard last',
    controls: html`${
      plays.length === 0
        ? html`<p>Nothing yet.</p>`
        : html`
    <ul class="switches" role="list">${plays.map((play) => playRow(play, moment))}</ul>`
    }
${names.length > 0 && html`<h3>Hidden permanently</h3><ul class="switches" role="list">${names.map(nameRow)}</ul>`}
<p><a class="button button-quiet" href="/api/admin/setlist.csv" download>The last 31 days (CSV)</a></p>`,
  });
}

function playRow({ id, title, artist, album, startedAt, kind, hidden }: StaffPlay, moment: Moment): Html {
  const action = `/admin/pub/plays/${id}`;
  return html`<li><span class="switch-label">${title}<span class="small soft">${artist}${hidden && ', hidden'}${
    kind === 'video' && ', from the screen'
  }, ${clock(startedAt, moment)}</span></span>
<form method="post" action="${action}" data-quiet>${actButton(
    {
      id: `do-hide-${id}`,
      action,
      label: hidden ? 'Show' : 'Hide',
      name: 'hidden',
      value: hidden ? 'off' : 'on',
      about: title,
      look: 'button-quiet',
    },
    moment,
  )}</form>
${formFold({
  id: `correct-${id}`,
  group: 'play',
  summary: html`Correct<span class="visually-hidden">: ${title}</span>`,
  action,
  fields: html`${field({
    name: 'title',
    id: `title-${id}`,
    label: 'Song',
    value: title,
    maxlength: 300,
    autocomplete: 'off',
  })}${field({
    name: 'artist',
    id: `artist-${id}`,
    label: 'Artist',
    value: artist,
    maxlength: 300,
    autocomplete: 'off',
  })}${field({
    name: 'album',
    id: `album-${id}`,
    label: 'Album',
    value: album,
    maxlength: 300,
    optional: true,
    autocomplete: 'off',
  })}<p>${actButton({ id: `do-correct-${id}`, action, label: 'Save' }, moment)}</p>`,
  open: moment.undo.has(`do-correct-${id}`),
})}
${formFold({
  id: `never-${id}`,
  group: 'play',
  summary: html`Hide permanently<span class="visually-hidden">: ${title}</span>`,
  action: '/admin/pub/names',
  hidden: { artist },
  fields: html`<p>Hides it wherever names are shown, past and future, and declines requests for it.</p>
  <p class="toolbar"><button class="button button-danger-quiet" name="title" value="${title}">This song</button><button class="button button-danger-quiet">Everything by the artist</button></p>`,
})}</li>\n`;
}

function nameRow({ id, artist, title }: HiddenName): Html {
  const name = title ?? `Everything by ${artist}`;
  return html`<li><span class="switch-label">${name}${
    title !== null && html`<span class="small soft">${artist}</span>`
  }</span>
<form method="post" action="/admin/pub/names/${id}/show"
data-quiet><button class="button button-quiet" id="do-name-${id}">Show from now on<span class="visually-hidden">: ${name}</span></button></form></li>\n`;
}
