import { expect, test } from 'vitest';
import { cardWords } from '#views/assets/tv/showing.js';

const NOW = Temporal.Instant.from('2026-11-22T02:00:00Z').epochMilliseconds;
const game = (more: object) => ({
  state: 'in',
  detail: '4:15 - 3rd',
  startIso: '2026-11-22T03:10:00Z',
  home: { abbr: 'BOS', score: 2 },
  away: { abbr: 'NYR', score: 1 },
  ...more,
});
const words = (more: object, zone = 'America/New_York') =>
  cardWords({ showing: true, title: 'Game', game: game(more) }, NOW, zone);

test('a game that has not begun shows its start in the time zone of the club, not of the source', () => {
  const before = { state: 'pre', detail: '11/21 - 10:10 PM EST' };
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

test.each([
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
    home: { abbr: 'BOS', name: 'Boston Bruins', shortName: 'Bruins', score: 2 },
    away: { abbr: 'NYR', name: 'New York Rangers', shortName: 'Rangers', score: 1 },
    ...more,
  });
  const card = { showing: true, title: 'Game', game: named };
  expect(cardWords(card, NOW, 'America/New_York', true)).toMatchObject({ eyebrow, title, facts });
  expect(cardWords(card, NOW, 'America/New_York')?.title).toMatch(/Rangers.*Bruins|Bruins.*Rangers/);
  expect(cardWords(card, NOW, 'America/New_York')?.title).not.toContain('Boston');
});

test('each side has its name, its score, its colour and its logo, and never three letters beside a name', () => {
  const bruins = {
    abbr: 'BOS',
    name: 'Boston Bruins',
    score: 2,
    color: '#231f20',
    logoUrl: '/api/logo/nhl/1',
  };
  expect(words({ home: bruins })?.sides).toEqual([
    { name: 'NYR', score: '1', color: '', logo: '' },
    { name: 'Boston Bruins', score: '2', color: '#231f20', logo: '/api/logo/nhl/1' },
  ]);
  expect(words({ state: 'pre' })?.sides.map(({ score }) => score)).toEqual(['', '']);
  expect(cardWords({ showing: true, title: 'The Third Man' }, NOW)?.sides).toEqual([]);
});
