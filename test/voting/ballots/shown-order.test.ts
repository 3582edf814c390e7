import { describe, expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addPoll, addRanked, addTokens, page } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal'];
const SHUFFLED = { settings: { randomize_order: true } };

/** The options of a ballot page from top to bottom. */
const shown = (body: string) =>
  [...body.matchAll(/class="rank-name"><label[^>]*><span translate="no">([^<]+)/g)].map(([, name]) => name);

/** The order that a page's last form sends along in a hidden field. */
const carried = (body: string) =>
  [...body.matchAll(/<input type="hidden" name="shown_order" value="([^"]*)">/g)].at(-1)?.[1];

async function ballot(service: TestApp) {
  const { id, ids } = await addRanked(service, NAMES, SHUFFLED);
  const [token = ''] = await addTokens(service, id, 1);
  const open = async () => (await page(service, `/e/${id}/vote?t=${token}`)).body;
  const review = (fields: Record<string, string | string[]>) =>
    service.submit(`/e/${id}/vote/review`, { token, ...fields });
  const ranks = Object.fromEntries(NAMES.map((name, index) => [`rank_${ids[name]}`, String(index + 1)]));
  return { id, ids, token, open, review, ranks };
}

describe('the shuffled order of a ballot', () => {
  it('is random for each opening, so that the database and the key are not enough to compute it again', async () => {
    await using service = await testApp();
    const { open } = await ballot(service);
    const before = service.ctx.changes();

    const orders = [];
    for (let times = 0; times < 12; times++) orders.push(shown(await open()));

    for (const order of orders) expect(order.toSorted()).toEqual(NAMES);
    // Of 40,320 orders, twelve are almost never all the same, and one option is almost never first in all of them.
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
    expect(new Set(orders.map(([first]) => first)).size).toBeGreaterThan(1);
    expect(service.ctx.changes()).toBe(before);
  });

  it('stays the same for one voter when the ballot is refused, reviewed and changed', async () => {
    await using service = await testApp();
    const { ids, open, review, ranks } = await ballot(service);
    const first = await open();
    const shown_order = carried(first) ?? '';

    const refused = await review({ shown_order, ...ranks, [`rank_${ids.Ann}`]: '2' });
    const reviewed = await review({ shown_order: carried(refused.body) ?? '', ...ranks });
    const edited = await review({
      shown_order: carried(reviewed.body) ?? '',
      ranking: NAMES.map((name) => ids[name] ?? ''),
      step: 'edit',
    });

    expect([refused.statusCode, reviewed.statusCode, edited.statusCode]).toEqual([400, 200, 200]);
    expect(shown(first)).toEqual(shown_order.split(',').map((place) => NAMES[Number(place) - 1]));
    expect(shown(refused.body)).toEqual(shown(first));
    expect(shown(edited.body)).toEqual(shown(first));
    // A browser must not restore entered values by position on a page whose order has changed.
    expect(first).toMatch(/<form class="ballot"[^>]* autocomplete="off"/);
    expect(edited.body.match(/<option value="\d" selected>/g)).toHaveLength(NAMES.length);
  });

  it('of a poll is kept the same way', async () => {
    await using service = await testApp();
    const { id } = await addPoll(service, NAMES, SHUFFLED);
    const [token = ''] = await addTokens(service, id, 1);
    const { body } = await page(service, `/e/${id}/vote/poll?t=${token}`);
    const names = (text: string) =>
      [...text.matchAll(/class="choice-name"><span translate="no">([^<]+)/g)].map(([, name]) => name);

    const refused = await service.submit(`/e/${id}/vote/review`, { token, shown_order: carried(body) ?? '' });

    expect(names(body).toSorted()).toEqual(NAMES);
    expect(refused.statusCode).toBe(400);
    expect(names(refused.body)).toEqual(names(body));
  });

  it.each<[string, string | string[]]>([
    ['nothing', ''],
    ['one place twice', '1,1,2,3,4,5,6,7'],
    ['a place too few', '1,2,3,4,5,6,7'],
    ['a place too many', '1,2,3,4,5,6,7,8,8'],
    ['a place that is not there', '0,1,2,3,4,5,6,7'],
    ['no numbers', 'a,b,c,d,e,f,g,<h>'],
    ['two orders', ['8,7,6,5,4,3,2,1', '8,7,6,5,4,3,2,1']],
    ['very many', '1,'.repeat(10_000)],
  ])('is drawn again if the form sends %s', async (_what, shown_order) => {
    const service = await shared();
    const { review, ranks } = await ballot(service);

    const { statusCode, body } = await review({ shown_order, step: 'edit' });
    const reviewed = await review({ shown_order, ...ranks });

    expect([statusCode, reviewed.statusCode]).toEqual([200, 200]);
    expect(shown(body).toSorted()).toEqual(NAMES);
    expect(carried(body)).toMatch(/^[1-8](,[1-8]){7}$/);
    expect(carried(reviewed.body)).toMatch(/^[1-8](,[1-8]){7}$/);
  });

  it('is not sent with the ballot, and is stored nowhere', async () => {
    await using service = await testApp();
    const { id, ids, open, review, ranks, token } = await ballot(service);
    const shown_order = '8,6,7,5,3,4,1,2';
    await open();
    const { body } = await review({ shown_order, ...ranks });
    const [castForm = ''] = body.split('name="step" value="edit"');

    const cast = await service.submit(`/e/${id}/vote`, {
      token,
      ranking: NAMES.map((name) => ids[name] ?? ''),
      shown_order,
    });

    expect(castForm).toContain('Cast my vote');
    expect(castForm).not.toContain('shown_order');
    expect(cast.statusCode).toBe(200);
    const stored = (['ballots', 'tokens', 'invites', 'audit_log'] as const).map((table) =>
      service.ctx.db.all(build.selectFrom(table).selectAll()),
    );
    expect(stored[0]).toMatchObject([{ choice: '[1,2,3,4,5,6,7,8]' }]);
    expect(JSON.stringify(stored)).not.toContain(shown_order);
    expect(service.logged.join('\n')).not.toContain(shown_order);
  });

  it('is the officers’ order if the election does not shuffle', async () => {
    await using service = await testApp();
    const { id } = await addRanked(service, NAMES);
    const [token = ''] = await addTokens(service, id, 1);

    const { body } = await service.submit(`/e/${id}/vote/review`, {
      token,
      shown_order: '8,7,6,5,4,3,2,1',
      step: 'edit',
    });

    expect(shown(body)).toEqual(NAMES);
    expect(carried(body)).toBeUndefined();
  });
});
