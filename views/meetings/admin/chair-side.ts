import { type Html, html } from '#kernel/html.ts';
import type { MeetingState } from '#meetings/meetings.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { itemBadge } from '#views/meetings/words.ts';

interface WallProps {
  meeting: { id: string };
  /** The names of TVs and their groups, and whether one shows the wall. */
  screens: readonly string[];
  isWallShown: boolean;
}

interface AgendaProps {
  meeting: { id: string; state: MeetingState };
  items: readonly ItemWithResult[];
  current: ItemWithResult | undefined;
}

/** Hands the TVs to the wall, and back. */
export function tvs({ meeting, screens, isWallShown }: WallProps): Html | null {
  const at = `/admin/meetings/${meeting.id}/screens`;
  if (isWallShown)
    return html`<form method="post" action="${at}/end"><button class="button button-quiet"><span
class="visually-hidden">The TVs show the wall until the meeting is closed. </span>Take it off the TVs</button></form>`;
  if (screens.length === 0) return null;
  return html`<form class="room-tvs" method="post" action="${at}"><select class="input" name="screens"
aria-label="TVs"><option value="">All TVs</option>
${screens.map((name) => html`<option>${name}</option>`)}</select><button class="button button-quiet">Show it there</button></form>`;
}

/** All items with their states, the current one marked, and the way to the others. */
export function agenda({ meeting, items, current }: AgendaProps): Html {
  return html`<section aria-labelledby="agenda"><h2 id="agenda">Agenda</h2><ol class="room-agenda" role="list">${items.map(
    (item, index) =>
      html`<li${item.id === current?.id && html` aria-current="step"`}><span>${index + 1}. ${item.title} ${itemBadge(item)}</span>${
        meeting.state !== 'closed' &&
        item.id !== current?.id &&
        html`<form method="post" action="${actAddress(meeting.id, item, 'call')}"><button class="button button-quiet">Go to it<span class="visually-hidden">: ${item.title}</span></button></form>`
      }</li>`,
  )}</ol></section>`;
}

/** The address of an act with an item. */
export const actAddress = (meetingId: string, { id }: { id: string }, name: string): string =>
  `/admin/meetings/${meetingId}/items/${id}/${name}`;
