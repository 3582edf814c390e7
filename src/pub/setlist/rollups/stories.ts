import { isoTime, SECOND } from '#kernel/clock.ts';
import { sha256 } from '#kernel/secrets.ts';
import { formatNight, nightBounds } from './counts/pub-days.ts';
import { type StoryKind, storyRules } from './story-rules.ts';
import { latestEvening, type Surface } from './surface.ts';

export interface Stories {
  /** Highest score first, at most one of each kind. */
  items: Story[];
}

export interface Story {
  /** A hash of what it is about: the same on every screen. */
  id: string;
  kind: StoryKind;
  /** At most 60 characters. */
  headline: string;
  /** At most 140 characters. */
  body: string;
  /** The figure it is about. */
  metric: { value: number; unit: string };
  /** A path on this host; empty without a cover. */
  artUrl: string;
  pubDay: string;
  durationMs: number;
  expiresAt: string;
}

const MOST = 8;
const SHOWN_FOR = 8 * SECOND;

/** The most notable facts of the latest evening, for the screens and the page. */
export const stories: Surface<Stories> = {
  name: 'stories',
  flag: 'SETLIST_STORIES_ENABLED',
  ranges: () => ['tonight'],
  compute(input) {
    const pubDay = formatNight(input.latest.night);
    // Valid until the next evening ends; the stories of that evening replace them earlier.
    const expiresAt = isoTime(nightBounds(input.latest.night + 1, input.zone).to);
    const candidates = storyRules.flatMap((rule) => rule(input) ?? []);
    const items = candidates
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
    return { ...latestEvening(input), data: { items } };
  },
};
