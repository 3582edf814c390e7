import { expect, it } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { send } from '#test/support/factories.ts';
import { openRoom } from './a-meeting.ts';
import { heldMeeting } from './held-meeting.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

/** The rows of meetings on the front page, as text. */
async function rowsOf({ service, id }: Room): Promise<string[]> {
  service.clock.now += 3_000;
  const { body } = await service.get('/', { accept: 'text/html' });
  return [...body.matchAll(/<article class="open-row">(.*?)<\/article>/gs)]
    .map(([row]) => row)
    .filter((row) => row.includes(`href="/m/${id}"`))
    .map((row) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
}

it('a meeting is on the front page from its invitation to the week after it, then with what was decided', async () => {
  const { one, end } = await heldMeeting();
  await using _ = one.service;
  expect(await rowsOf(one)).toEqual([
    expect.stringMatching(/^AGM Now\. Fri, Dec 4,.* 7:00 PM, The hall\. Go in : AGM$/),
  ]);
  await end();

  const [over, ...others] = await rowsOf(one);
  expect(others).toEqual([]);
  expect(over).toMatch(/Fees: Carried.*Treasurer: Elected: Ivy Cole.*Results : AGM$/);
  one.service.clock.now += 7 * DAY;
  expect(await rowsOf(one)).toEqual([]);
});

it('a meeting that is being prepared is told to nobody; one that is called off says so until its day', async () => {
  await using one = await openRoom({ place: 'The hall' });
  expect(await rowsOf(one)).toEqual([]);
  await one.service.post(`${one.base}/invite`, { emails: ['ann@club.example'] });
  expect(await rowsOf(one)).toEqual([
    expect.stringMatching(/^AGM Fri, Dec 4,.* 7:00 PM, The hall\. Agenda : AGM$/),
  ]);

  await send(one.service, 'PATCH', one.base, { state: 'called_off', reason: 'The boiler is broken.' });
  expect(await rowsOf(one)).toEqual([
    expect.stringMatching(/^AGM Called off: The boiler is broken\. Fri, Dec 4,/),
  ]);
  one.service.clock.now += 14 * DAY;
  expect(await rowsOf(one)).toEqual([]);
});
