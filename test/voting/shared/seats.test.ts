import { describe, expect, it, test } from 'vitest';
import { type Filling, fillSeats, groupByVotes } from '#voting/shared/seats.ts';

/** Fills seats from votes by name; who has fewer than `least` votes does not pass. */
function fill(
  seats: number,
  votes: Record<string, number>,
  { least = 1, ...lots }: { least?: number } & Pick<Filling, 'orders' | 'byLot'> = {},
) {
  const all = Object.entries(votes).map(([id, of]) => ({ id, votes: of }));
  const passes = (id: string) => votes[id]! >= least;
  return fillSeats({ seats, ids: Object.keys(votes), order: groupByVotes(all), passes, ...lots }, true);
}

describe('seats are filled', () => {
  it.each([
    ['most votes first', 2, { a: 3, b: 9, c: 5 }, 'bc', ''],
    ['level ones where all of them fit', 2, { a: 5, b: 5, c: 1 }, 'ab', ''],
    ['nobody of those who are level for the last seat', 2, { a: 9, b: 5, c: 5 }, 'a', 'bc'],
    ['nobody of three who are level for two seats', 3, { a: 9, b: 5, c: 5, d: 5, e: 1 }, 'a', 'bcd'],
    ['nobody of all who are level', 1, { a: 5, b: 5, c: 5 }, '', 'abc'],
    ['nobody without a vote', 3, { a: 5, b: 0, c: 0 }, 'a', ''],
    ['nobody at all without votes', 1, { a: 0, b: 0 }, '', ''],
    ['those behind the last seat are not level for it', 1, { a: 9, b: 5, c: 5 }, 'a', ''],
  ])('with %s', (_rule, seats, votes, elected, tied) => {
    expect(fill(seats, votes)).toMatchObject({
      seats,
      elected: [...elected],
      tied_for_last: [...tied],
      open_seats: seats - elected.length,
    });
  });

  it('only with those who pass, also where somebody with more votes does not', () => {
    const order = groupByVotes([
      { id: 'a', votes: 12 },
      { id: 'b', votes: 10 },
      { id: 'c', votes: 10 },
    ]);
    const filled = fillSeats({ seats: 2, ids: ['a', 'b', 'c'], order, passes: (id) => id === 'c' }, true);
    expect(filled).toMatchObject({ elected: ['c'], tied_for_last: [], open_seats: 1 });
  });
});

test('without the quorum nobody is elected; the winners are those of the votes', () => {
  const filling = { seats: 1, ids: ['a', 'b'], order: [['a'], ['b']], passes: () => true };

  expect(fillSeats(filling, false)).toEqual({
    seats: 1,
    elected: [],
    tied_for_last: [],
    open_seats: 1,
    next: { two_best: ['a', 'b'] },
    winners: ['a'],
    tied: false,
  });
});

describe('the next vote', () => {
  it.each([
    ['is not needed', 2, { a: 5, b: 4, c: 3 }, undefined],
    ['for one seat is between the two best', 1, { a: 5, b: 9, c: 7, d: 1 }, { two_best: ['b', 'c'] }],
    ['widens where the second is level', 1, { a: 9, b: 7, c: 7, d: 1 }, { two_best: ['a', 'b', 'c'] }],
    ['widens where the first are level', 1, { a: 9, b: 9, c: 9, d: 1 }, { two_best: ['a', 'b', 'c'] }],
    ['leaves out the third where the first two are level', 1, { a: 9, b: 9, c: 8 }, { two_best: ['a', 'b'] }],
    [
      'for several seats is between the others, or all',
      2,
      { a: 5, b: 20, c: 7 },
      { unelected: ['a', 'c'], all: ['a', 'b', 'c'] },
    ],
  ])('%s', (_rule, seats, votes, next) => {
    expect(fill(seats, votes, { least: next ? 10 : 1 }).next).toEqual(next);
  });
});

describe('a lot between those who are level', () => {
  const votes = { a: 9, b: 5, c: 5, d: 5 };

  it('is awaited until it is drawn', () => {
    expect(fill(3, votes, { byLot: true })).toMatchObject({
      elected: ['a'],
      tied_for_last: ['b', 'c', 'd'],
      awaiting_lot: ['b', 'c', 'd'],
      open_seats: 2,
    });
  });

  it('that the rules do not ask for still decides, once it is drawn', () => {
    expect(fill(3, votes).awaiting_lot).toBeUndefined();
    expect(fill(3, votes, { orders: [['c', 'd', 'b']] }).elected).toEqual(['a', 'c', 'd']);
  });

  it('gives the seats to the first of its order', () => {
    expect(fill(3, votes, { orders: [['d', 'b', 'c']], byLot: true })).toEqual({
      seats: 3,
      elected: ['a', 'd', 'b'],
      tied_for_last: [],
      open_seats: 0,
      winners: ['a', 'd', 'b'],
      tied: false,
      ties: [{ candidates: ['b', 'c', 'd'], by: 'lot', taken: ['d', 'b'] }],
    });
  });

  it('is not drawn where nobody is level for the last seat', () => {
    expect(fill(1, votes, { orders: [['d', 'b', 'c']], byLot: true })).toEqual({
      seats: 1,
      elected: ['a'],
      tied_for_last: [],
      open_seats: 0,
      winners: ['a'],
      tied: false,
    });
  });
});
