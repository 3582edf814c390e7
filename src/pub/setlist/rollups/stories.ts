import { isoTime, SECOND } from '#kernel/clock.ts';
import { sha256 } from '#kernel/secrets.ts';
import { boundsOf, dayOf } from './pub-days.ts';
import { tellers } from './story-rules.ts';
import { eveningOf, type Surface } from './surface.ts';

export interface Stories {
  /** The best first, one of a kind. */
  items: Story[];
}

export interface Story {
  /** The same on every screen. */
  id: string;
  kind: StoryKind;
  /** At most 60 characters. */
  headline: string;
  /** At most 140 characters. */
  body: string;
  /** The figure it is about. */
  metric: { value: number; unit: string };
  /** Of our own host; empty without a cover. */
  artUrl: string;
  pubDay: string;
  durationMs: number;
  expiresAt: string;
}

export type StoryKind =
  | 'record'
  | 'milestone'
  | 'request'
  | 'comeback'
  | 'streak'
  | 'debut'
  | 'takeover'
  | 'silence';

const MOST = 8;
const SHOWN_FOR = 8 * SECOND;

/** What is worth telling of the latest evening, for the screens and the page. */
export const stories: Surface<Stories> = {
  name: 'stories',
  flag: 'SETLIST_STORIES_ENABLED',
  ranges: () => ['tonight'],
  compute(house) {
    const pubDay = dayOf(house.latest.night);
    // Told until the next evening is over, or has stories of its own.
    const expiresAt = isoTime(boundsOf(house.latest.night + 1, house.zone).to);
    const told = tellers.flatMap((tell) => tell(house) ?? []);
    const items = told
      .sort((a, b) => b.score - a.score || (a.kind < b.kind ? -1 : 1))
      .slice(0, MOST)
      .map(({ kind, about, headline, body, metric, artUrl }) => ({
        id: sha256([kind, pubDay, about].join('\n')).slice(0, 12),
        kind,
        headline,
        body,
        metric,
        artUrl,
        pubDay,
        durationMs: SHOWN_FOR,
        expiresAt,
      }));
    return { ...eveningOf(house), data: { items } };
  },
};
