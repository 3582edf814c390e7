import { expect, test } from 'vitest';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Verdict } from '#pub/now-playing/device.ts';
import { resolveCard } from '#pub/screen/card.ts';
import type { Game } from '#pub/screen/games.ts';
import type { Override } from '#pub/screen/override.ts';
import { NOON } from '#test/support/app.ts';

const side = (abbr: string, name: string, shortName: string) => ({
  id: abbr,
  abbr,
  name,
  shortName,
  score: 3,
  record: null,
  winner: null,
  color: null,
  logoUrl: '',
});

const game = (id: string, of: Partial<Game> = {}): Game => ({
  id,
  league: 'nhl',
  sport: 'hockey',
  name: `Game ${id}`,
  shortName: id,
  state: 'in',
  detail: '9:03 - 3rd',
  period: 3,
  clock: '9:03',
  startIso: isoTime(NOON),
  home: side('BOS', 'Boston Bruins', 'Bruins'),
  away: side('NYR', 'New York Rangers', 'Rangers'),
  broadcasts: [],
  venue: null,
  priority: 60,
  stale: false,
  ...of,
});

const BRUINS = game('bruins', { broadcasts: ['TNT'] });
const SOX = game('sox', {
  home: side('BOS', 'Boston Red Sox', 'Red Sox'),
  away: side('OAK', 'Oakland Athletics', 'Athletics'),
  broadcasts: ['TNT', 'NESN'],
});
const TOP = game('top', {
  priority: 95,
  home: side('MTL', 'Montréal Canadiens', 'Canadiens'),
  away: side('NO', 'New Orleans', 'Saints'),
});
const SOON = game('soon', {
  state: 'pre',
  startIso: isoTime(NOON + 20 * MINUTE),
  home: side('LAL', 'Los Angeles Lakers', 'Lakers'),
});

const AUTOMATIC: Override = {
  mode: 'automatic',
  label: null,
  gameId: null,
  setBy: null,
  setAt: null,
  expiresAt: null,
};
const set = (of: Partial<Override>): Override => ({
  ...AUTOMATIC,
  setBy: 'pat@club.example',
  setAt: isoTime(NOON - MINUTE),
  expiresAt: isoTime(NOON + 60 * MINUTE),
  ...of,
});
const detected = (kind: Verdict['kind'], confidence: number, hint: string | null = null): Verdict => ({
  kind,
  confidence,
  hint,
  since: NOON - 10 * MINUTE,
  at: NOON,
});

interface Case {
  override?: Override;
  verdict?: Verdict | null;
  games?: Game[];
  screening?: string;
}

/** kind, title, source, id of the game */
type Shown = [kind: string, title: string, source: string, game?: string];
const NOTHING: Shown = ['none', '', 'verdict'];

test.each<[name: string, scene: Case, shown: Shown]>([
  // Overrides by staff.
  ['off', { override: set({ mode: 'off' }), verdict: detected('movie', 1) }, ['none', '', 'override']],
  [
    'a film with a name',
    { override: set({ mode: 'movie', label: 'Casablanca' }) },
    ['movie', 'Casablanca', 'override'],
  ],
  ['a film without one', { override: set({ mode: 'movie' }) }, ['movie', 'Movie night', 'override']],
  [
    'a film, whatever the device detects',
    { override: set({ mode: 'movie' }), verdict: detected('sports', 1), games: [TOP] },
    ['movie', 'Movie night', 'override'],
  ],
  [
    'something else',
    { override: set({ mode: 'generic', label: 'The Oscars' }) },
    ['generic', 'The Oscars', 'override'],
  ],
  [
    'something without a name',
    { override: set({ mode: 'generic' }) },
    ['generic', 'On the big screen', 'override'],
  ],
  [
    'a game',
    { override: set({ mode: 'game', gameId: 'sox' }), games: [BRUINS, SOX] },
    ['game', 'Game sox', 'override', 'sox'],
  ],
  [
    'a game that is no longer listed',
    { override: set({ mode: 'game', gameId: 'gone' }), games: [SOX] },
    ['game', 'Game', 'override'],
  ],
  [
    'the same with a label',
    { override: set({ mode: 'game', gameId: 'gone', label: 'The final' }) },
    ['game', 'The final', 'override'],
  ],
  // No decision by staff, and the device detects nothing to show.
  ['no verdict', { games: [TOP] }, NOTHING],
  ...(['music', 'silence', 'unknown', 'speech'] as const).map((kind): [string, Case, Shown] => [
    kind,
    { verdict: detected(kind, 1), games: [TOP] },
    NOTHING,
  ]),
  ['a film, hardly', { verdict: detected('movie', 0.59) }, NOTHING],
  ['a game, hardly', { verdict: detected('sports', 0.59, 'Bruins'), games: [BRUINS] }, NOTHING],
  // Films.
  ['a film, just so', { verdict: detected('movie', 0.6) }, ['movie', 'Movie night', 'verdict']],
  ['television', { verdict: detected('tv', 0.7) }, ['movie', 'Movie night', 'verdict']],
  [
    'a film whose name is known',
    { verdict: detected('movie', 0.9), screening: 'Heat' },
    ['movie', 'Heat', 'verdict'],
  ],
  // Games: the one the hint names,
  [
    'a team in the hint',
    { verdict: detected('sports', 0.6, 'bruins at home'), games: [SOX, BRUINS, TOP] },
    ['game', 'Game bruins', 'verdict', 'bruins'],
  ],
  [
    'marks and case do not count',
    { verdict: detected('sports', 0.6, 'MONTREAL CANADIENS!'), games: [SOX, TOP] },
    ['game', 'Game top', 'verdict', 'top'],
  ],
  [
    'an abbreviation in capitals',
    { verdict: detected('sports', 0.6, 'OAK @ BOS'), games: [BRUINS, SOX] },
    ['game', 'Game sox', 'verdict', 'sox'],
  ],
  [
    'a word that only looks like one',
    { verdict: detected('sports', 0.6, 'no idea'), games: [SOX, TOP] },
    ['generic', 'Live sports', 'verdict'],
  ],
  [
    'a part of a word',
    { verdict: detected('sports', 0.6, 'strangers'), games: [SOX, BRUINS] },
    ['generic', 'Live sports', 'verdict'],
  ],
  [
    'a channel with one game',
    { verdict: detected('sports', 0.6, 'NESN'), games: [BRUINS, SOX] },
    ['game', 'Game sox', 'verdict', 'sox'],
  ],
  [
    'a channel with two',
    { verdict: detected('sports', 0.6, 'TNT'), games: [BRUINS, SOX] },
    ['generic', 'Live sports', 'verdict'],
  ],
  [
    'a channel with two, and a team',
    { verdict: detected('sports', 0.6, 'Rangers on TNT'), games: [BRUINS, SOX] },
    ['game', 'Game bruins', 'verdict', 'bruins'],
  ],
  [
    'a game that is about to begin',
    { verdict: detected('sports', 0.7, 'Lakers'), games: [SOON, BRUINS, SOX] },
    ['game', 'Game soon', 'verdict', 'soon'],
  ],
  // else the only one that runs,
  [
    'one game',
    { verdict: detected('sports', 0.6), games: [SOON, BRUINS] },
    ['game', 'Game bruins', 'schedule', 'bruins'],
  ],
  [
    'one game, another hint',
    { verdict: detected('sports', 0.6, 'cricket'), games: [BRUINS] },
    ['game', 'Game bruins', 'schedule', 'bruins'],
  ],
  // else the favourite, if the device is very sure, and otherwise no score at all.
  [
    'several games, very sure',
    { verdict: detected('sports', 0.8), games: [BRUINS, TOP, SOX] },
    ['game', 'Game top', 'schedule', 'top'],
  ],
  [
    'several games, not so sure',
    { verdict: detected('sports', 0.79), games: [BRUINS, TOP, SOX] },
    ['generic', 'Live sports', 'verdict'],
  ],
  [
    'several favourites',
    { verdict: detected('sports', 1), games: [BRUINS, SOX] },
    ['generic', 'Live sports', 'verdict'],
  ],
  ['no game', { verdict: detected('sports', 1), games: [SOON] }, ['generic', 'Live sports', 'verdict']],
  [
    'a game whose score is old',
    { verdict: detected('sports', 1, 'Bruins'), games: [{ ...BRUINS, stale: true }] },
    ['generic', 'Live sports', 'verdict'],
  ],
])(
  '%s',
  (_name, { override = AUTOMATIC, verdict = null, games = [], screening = null }, [
    kind,
    title,
    source,
    id,
  ]) => {
    const card = resolveCard({ enabled: true, override, verdict, games, screening, now: NOON });

    expect([card.kind, card.title, card.source, card.game?.id]).toEqual([kind, title, source, id]);
    expect(card.showing).toBe(kind !== 'none');
    expect(card.mode).toBe(override.mode);
  },
);

test('a card has its source, start, confidence and end', () => {
  const scene = { enabled: true, games: [BRUINS], screening: null, now: NOON };

  expect(resolveCard({ ...scene, override: AUTOMATIC, verdict: detected('sports', 0.75, 'Bruins') })).toEqual(
    {
      enabled: true,
      showing: true,
      mode: 'automatic',
      kind: 'game',
      title: 'Game bruins',
      subtitle: '9:03 - 3rd',
      label: null,
      game: BRUINS,
      source: 'verdict',
      confidence: 0.75,
      since: isoTime(NOON - 10 * MINUTE),
      resolvedAt: isoTime(NOON),
      expiresAt: null,
    },
  );
  expect(
    resolveCard({ ...scene, override: set({ mode: 'movie', label: 'Heat' }), verdict: null }),
  ).toMatchObject({
    label: 'Heat',
    confidence: null,
    since: isoTime(NOON - MINUTE),
    expiresAt: isoTime(NOON + 60 * MINUTE),
  });
});
