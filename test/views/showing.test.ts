import { expect, test } from 'vitest';
import type { Card } from '#pub/screen/card.ts';
import type { Game, Side } from '#pub/screen/games.ts';
import { cardWords } from '#views/assets/tv/showing.js';

const NOW = Temporal.Instant.from('2026-11-22T02:00:00Z').epochMilliseconds;
const side = (more: Partial<Side>): Side => ({
  id: '',
  abbr: '',
  name: '',
  shortName: '',
  score: null,
  record: null,
  winner: null,
  color: null,
  logoUrl: '',
  ...more,
});
const game = (more: Partial<Game>): Game => ({
  id: 'nhl:1',
  league: 'nhl',
  sport: 'hockey',
  name: '',
  shortName: '',
  state: 'in',
  detail: '4:15 - 3rd',
  period: null,
  clock: null,
  startIso: '2026-11-22T03:10:00Z',
  home: side({ abbr: 'BOS', score: 2 }),
  away: side({ abbr: 'NYR', score: 1 }),
  broadcasts: [],
  venue: null,
  priority: 0,
  stale: false,
  ...more,
});
const card = (title: string, shown: Game | null = null): Card => ({
  enabled: true,
  showing: true,
  mode: 'automatic',
  kind: shown ? 'game' : 'movie',
  title,
  subtitle: null,
  label: null,
  game: shown,
  source: 'verdict',
  confidence: 1,
  since: null,
  resolvedAt: new Date(NOW).toISOString(),
  expiresAt: null,
});
const words = (more: Partial<Game>, zone = 'America/New_York') =>
  cardWords(card('Game', game(more)), NOW, zone);

test('a game that has not begun shows its start in the time zone of the club, not of the source', () => {
  const before = { state: 'pre', detail: '11/21 - 10:10 PM EST' } as const;
  expect(words(before)).toMatchObject({ title: 'NYR at BOS', note: 'Starts at 10:10 PM' });
  expect(words(before, 'Europe/Berlin')?.note).toBe('Starts at 4:10 AM');
  expect(words({ state: 'pre', detail: 'Postponed' })?.note).toBe('Postponed');
});

test('a running game shows its score and its period', () => {
  expect(words({})).toMatchObject({ title: 'NYR 1  –  BOS 2', note: '4:15 - 3rd' });
  expect(words({ detail: '11/21 - 10:10 PM EST' })?.note).toBe('');
});

test('in soccer the home team is named first', () => {
  expect(words({ sport: 'soccer', detail: "25'" })).toMatchObject({ title: 'BOS 2  –  NYR 1', note: "25'" });
  expect(words({ sport: 'soccer', state: 'pre' })?.title).toBe('BOS  –  NYR');
});

test.each<[Partial<Game>, eyebrow: string, title: string, facts: string]>([
  [
    { state: 'pre', detail: '11/21 - 10:10 PM EST', broadcasts: ['ESPN', 'NHLPP'], venue: 'TD Garden' },
    'Next on the big screen',
    'New York Rangers\nat Boston Bruins',
    'TD Garden · ESPN, NHLPP',
  ],
  [{}, 'Now showing', 'New York Rangers 1\nBoston Bruins 2', ''],
  [{ state: 'post', detail: 'Final', venue: null }, 'Just ended', 'New York Rangers 1\nBoston Bruins 2', ''],
  [{ sport: 'soccer', state: 'pre' }, 'Next on the big screen', 'Boston Bruins\nNew York Rangers', ''],
])('the projector has the whole names, the place and the channels %#', (more, eyebrow, title, facts) => {
  const named = game({
    home: side({ abbr: 'BOS', name: 'Boston Bruins', shortName: 'Bruins', score: 2 }),
    away: side({ abbr: 'NYR', name: 'New York Rangers', shortName: 'Rangers', score: 1 }),
    ...more,
  });
  expect(cardWords(card('Game', named), NOW, 'America/New_York', true)).toMatchObject({
    eyebrow,
    title,
    facts,
  });
  expect(cardWords(card('Game', named), NOW, 'America/New_York')?.title).toMatch(
    /Rangers.*Bruins|Bruins.*Rangers/,
  );
  expect(cardWords(card('Game', named), NOW, 'America/New_York')?.title).not.toContain('Boston');
});

test('each side has its name, its score, its colour and its logo, and never three letters beside a name', () => {
  const bruins = side({
    abbr: 'BOS',
    name: 'Boston Bruins',
    score: 2,
    color: '#231f20',
    logoUrl: '/api/logo/nhl/1',
  });
  expect(words({ home: bruins })?.sides).toEqual([
    { name: 'NYR', score: '1', color: '', logo: '' },
    { name: 'Boston Bruins', score: '2', color: '#231f20', logo: '/api/logo/nhl/1' },
  ]);
  expect(words({ state: 'pre' })?.sides.map(({ score }) => score)).toEqual(['', '']);
  expect(cardWords(card('The Third Man'), NOW)?.sides).toEqual([]);
});
