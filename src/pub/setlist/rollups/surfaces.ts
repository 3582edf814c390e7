import type { Config } from '#kernel/config.ts';
import { echo } from './echo.ts';
import { persona } from './persona.ts';
import { stories } from './stories.ts';
import type { Surface } from './surface.ts';
import { tonight } from './tonight.ts';
import { topSongs } from './top-songs.ts';
import { vibeCompass } from './vibe-compass.ts';
import { wrapped } from './wrapped.ts';

/** All surfaces. Each has a view of its name in views/pub/setlist/page.ts, which also sets the order of the pages. */
export const SURFACES: readonly Surface[] = [tonight, topSongs, vibeCompass, echo, stories, persona, wrapped];

export function findSurface(name: string): Surface | undefined {
  return SURFACES.find((surface) => surface.name === name);
}

export const isEnabled = (config: Config, { flag }: Surface): boolean => config[flag];
