import { expect, it } from 'vitest';
import { openHall } from './http-house.ts';
import { playEvening, shorten, tellFailure } from './play.ts';

/** Two files play two thousand evenings, side by side. */
const EVENINGS = 1_000;
/** So many meetings are held in one service. */
const IN_A_HALL = 100;
/** Those of `evenings.test.ts` come first. */
const FIRST = 1_001;

/** @param part of the two thousand evenings: 0 or 1 */
export function manyEvenings(part: number): void {
  const begin = FIRST + part * EVENINGS;
  it(`evenings ${begin} to ${begin + EVENINGS - 1} give nobody a second vote and keep nobody from voting`, async () => {
    for (let first = begin; first < begin + EVENINGS; first += IN_A_HALL) {
      await using hall = await openHall();
      for (let seed = first; seed < first + IN_A_HALL; seed++) {
        const failure = await playEvening(hall, seed);
        if (failure) expect.fail(tellFailure(await shorten(openHall, failure)));
      }
    }
  }, 900_000);
}
