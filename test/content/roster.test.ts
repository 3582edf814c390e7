import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { formAt } from '#test/support/forms.ts';

const TODAY = '2026-11-21';
const SUNDAY = '2026-11-22';
const DAYS = '/admin/content/roster/days';
const EVENING = [{ opens: '11:00', closes: '23:00' }];
const WEEK = {
  mon: EVENING,
  tue: EVENING,
  wed: EVENING,
  thu: EVENING,
  fri: EVENING,
  sat: EVENING,
  sun: EVENING,
};

/** A club with Ann and Bob, open every day. */
async function openService() {
  const service = await testApp();
  const eve = await editorAt(service);
  const headers = { ...eve.headers, accept: 'text/html' };
  const [ann, bob] = [
    await eve.publish('tender', { full_name: 'Ann Doe' }),
    await eve.publish('tender', { full_name: 'Bob Roe' }),
  ];
  await eve.publish('hours', { from: '2026-01-01', week: WEEK });
  const page = async (query = '') => (await service.get(`/admin/content/roster${query}`, headers)).body;
  return Object.assign(service, {
    eve,
    ann,
    bob,
    page,
    /** An officer opens the page, and returns a function that saves other marks. */
    async opens(query = '') {
      const { fields } = formAt(await page(query), DAYS);
      return (marks: Record<string, string[]>) => {
        const ticks = Object.entries(marks).map(([date, crew]) => [`crew.${date}`, crew] as const);
        return service.submit(DAYS, { ...fields, ...Object.fromEntries(ticks), publish: 'true' }, headers);
      };
    },
    /** Who is on the roster, by date. */
    async crews(): Promise<Record<string, string[]>> {
      const { items } = await eve.read('roster');
      return Object.fromEntries(
        items.map(({ body }: { body: { date: string; tenders: string[] } }) => [
          body.date,
          body.tenders.toSorted(),
        ]),
      );
    },
    tonight: async () => (await service.get('/api/events')).json().pubTender.name,
  });
}

/** The words of a row of the grid, and the marks in it. */
function rowOf(page: string, label: string): { text: string; marks: number; pressed: number } {
  const row = page.split(/<tr role="row"|<\/table>/).find((one) => one.includes(`rowheader">${label}`)) ?? '';
  return {
    text: row
      .replace(/^[^>]*>/, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    marks: row.match(/type="checkbox"/g)?.length ?? 0,
    pressed: row.match(/" checked /g)?.length ?? 0,
  };
}

test('each mark has a person and a day, and the days of each are counted below', async () => {
  await using service = await openService();
  const { ann, bob } = service;
  await service.eve.publish('roster', { date: TODAY, tenders: [ann, bob] });
  await service.eve.publish('roster', { date: SUNDAY, tenders: [bob] });

  const page = await service.page();
  expect(page).toContain(`value="${ann}" checked aria-label="Ann Doe, Sat, Nov 21">`);
  expect(page).toContain(`value="${ann}" aria-label="Ann Doe, Sun, Nov 22">`);
  expect(rowOf(page, 'Days').text).toBe('Days Ann 1 Bob 2');
  expect(
    [...page.split('</table>')[0]!.matchAll(/"columnheader">(.*?)<\/th>/gs)].map(([, head = '']) =>
      head.replace(/<span.*<\/span>/s, ''),
    ),
  ).toEqual(['Day', 'Ann', 'Bob']);
});

test('two people with one first name are told apart', async () => {
  await using service = await openService();
  await service.eve.publish('tender', { full_name: 'Ann Lee' });
  expect(rowOf(await service.page(), 'Days').text).toBe('Days Ann D. 0 Ann L. 0 Bob 0');
});

test('marks of two officers at once are both kept', async () => {
  await using service = await openService();
  const { ann, bob } = service;
  await service.eve.publish('roster', { date: TODAY, tenders: [ann] });
  const [first, second, third] = [await service.opens(), await service.opens(), await service.opens()];

  await first({ [TODAY]: [ann, bob], [SUNDAY]: [ann] });
  const both = await second({ [SUNDAY]: [bob] });
  expect(both.statusCode).toBe(303);
  expect(await service.crews()).toEqual({ [TODAY]: [ann, bob].toSorted(), [SUNDAY]: [ann, bob].toSorted() });
  const said = await service.page(String(both.headers.location).replace('/admin/content/roster', ''));
  expect(said).toContain('Somebody else changed Sun, Nov 22 while you were writing.');
  // The same day: Bob stays, who was added meanwhile; Ann goes, who was there.
  await third({ [TODAY]: [] });
  expect((await service.crews())[TODAY]).toEqual([bob]);
});

test('a draft of somebody else is not published by a form that leaves its day as it was', async () => {
  await using service = await openService();
  const { ann, bob } = service;
  const one = await service.eve.publish('roster', { date: TODAY, tenders: [ann] });
  const save = await service.opens();
  await service.eve.patch(`roster/${one}`, { version: 1, body: { tenders: [bob] } });

  await save({ [TODAY]: [ann], [SUNDAY]: [ann] });
  expect(await service.tonight()).toBe('Ann');
  expect(await service.crews()).toEqual({ [TODAY]: [bob], [SUNDAY]: [ann] });
});

test('a closed day has no boxes, keeps its names, and shows them again when it opens', async () => {
  await using service = await openService();
  const { ann, bob } = service;
  await service.eve.publish('roster', { date: SUNDAY, tenders: [bob] });
  const closure = await service.eve.publish('special', { from: SUNDAY, closed: true });

  const closed = rowOf(await service.page(), 'Sun, Nov 22');
  expect(closed).toMatchObject({ text: 'Sun, Nov 22 Closed Bob works if it opens after all', marks: 0 });
  expect(rowOf(await service.page(), 'Days').text).toBe('Days Ann 0 Bob 0');
  await (await service.opens())({ [TODAY]: [ann] });
  expect(await service.crews()).toEqual({ [TODAY]: [ann], [SUNDAY]: [bob] });

  await service.eve.post(`special/${closure}/remove`, { version: 1 });
  expect(rowOf(await service.page(), 'Sun, Nov 22')).toMatchObject({ marks: 2, pressed: 1 });
});
