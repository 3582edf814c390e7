import { expect, it } from 'vitest';
import { openHall } from './evenings/http-house.ts';
import { playEvening, shorten, tellFailure } from './evenings/play.ts';

const EVENINGS = 50;
/** `EVENING=12 STEPS=1,4,7` plays these steps of one evening alone. */
const { EVENING, STEPS } = process.env;
const only = STEPS?.split(',').map(Number);
const seeds = EVENING === undefined ? Array.from({ length: EVENINGS }, (_, at) => at + 1) : [Number(EVENING)];

it('random evenings, whose people may lie, give nobody a second vote and keep nobody from voting', async () => {
  await using hall = await openHall();
  for (const seed of seeds) {
    const failure = await playEvening(hall, seed, only);
    if (failure) expect.fail(tellFailure(await shorten(openHall, failure)));
  }
});
