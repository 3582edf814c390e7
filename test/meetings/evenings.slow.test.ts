import { expect, it } from 'vitest';
import { openHall } from './evenings/http-house.ts';
import { playEvening, shorten, tellFailure } from './evenings/play.ts';

const EVENINGS = 2_000;
/** So many meetings are held in one service. */
const IN_A_HALL = 100;
/** Those of `evenings.test.ts` come first. */
const FIRST = 1_001;

it('two thousand random evenings give nobody a second vote and keep nobody from voting', async () => {
  for (let first = FIRST; first < FIRST + EVENINGS; first += IN_A_HALL) {
    await using hall = await openHall();
    for (let seed = first; seed < first + IN_A_HALL; seed++) {
      const failure = await playEvening(hall, seed);
      if (failure) expect.fail(tellFailure(await shorten(openHall, failure)));
    }
  }
}, 900_000);
