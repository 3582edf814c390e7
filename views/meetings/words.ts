import type { Html } from '#kernel/html.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { MeetingState } from '#meetings/meetings.ts';
import { badge } from '#views/components/status.ts';

export type { MeetingState } from '#meetings/meetings.ts';

export const KIND_WORDS = { text: 'To talk about', motion: 'Motion', election: 'Election' } as const;

const ITEM_STATES: Record<ItemJson['state'], string> = {
  prepared: 'Prepared',
  open: 'Voting is open',
  closed: 'Closed, not announced',
  declared: 'Announced',
  void: 'Void',
};

const MEETING_STATES: Record<MeetingState, string> = {
  prepared: 'Prepared',
  running: 'Running',
  closed: 'Closed',
};

/** The state of an item; none for one that nobody votes on. */
export function itemBadge({ kind, state }: Pick<ItemJson, 'kind' | 'state'>): Html | null {
  if (kind === 'text' || state === 'prepared') return null;
  return badge(ITEM_STATES[state], state === 'open' || state === 'declared' ? 'open' : 'scheduled');
}

export const meetingBadge = (state: MeetingState): Html =>
  badge(MEETING_STATES[state], state === 'running' ? 'open' : state === 'prepared' ? 'scheduled' : undefined);
