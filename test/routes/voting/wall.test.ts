import { describe, expect, it } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, castAll, page } from '#test/support/factories.ts';

const HIDDEN = { settings: { hide_results_until_close: true } };
const wallOf = (id: string) => `/e/${id}/results?wall=1`;
const barsOf = (body: string) =>
  [...body.matchAll(/wall-name[^>]*>([^<]*)<\/span><span class="wall-votes">(\d+)/g)].map((bar) =>
    bar.slice(1),
  );

/** The QR code's size depends on the election's id. */
const QR_OF_THE_VOTING_PAGE = /<svg class="qr"[^>]* aria-label="QR code of the voting page".*?<\/svg>/s;

describe('the wall page', () => {
  it('shows turnout and how to vote while results are hidden, independent of the choices', async () => {
    const seen = [];
    for (const choice of ['yes', 'no']) {
      await using service = await testApp(mailTo('smtp://127.0.0.1:9'));
      const id = await addElection(service, { title: 'The piano', ...HIDDEN });
      await castAll(service, id, [{ choice }, { choice }]);
      service.clock.now += HOUR + 48 * MINUTE;
      const { body } = await page(service, wallOf(id));
      seen.push(body.replaceAll(id, 'id').replace(QR_OF_THE_VOTING_PAGE, 'the QR code'));
    }

    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toContain('<strong>2</strong> of 2 have voted');
    expect(seen[0]).toContain('12 minutes left');
    expect(seen[0]).toContain('votes.club.example/vote');
    expect(seen[0]).toContain('the QR code');
    expect(seen[0]).not.toMatch(/<nav|wall-bars|wall-outcome/);
  });

  it('shows the result after the close, with bars, quorum and the best option first', async () => {
    await using service = await testApp();
    const poll = await addPoll(service, ['Tea', 'Cake', 'Soup'], { settings: { quorum: 2 } });
    await castAll(
      service,
      poll.id,
      [poll.ids.Cake, poll.ids.Cake, poll.ids.Soup].map((selected_option) => ({ selected_option })),
      'vote/poll',
    );
    const ranked = await addRanked(service, ['Ann', 'Bob', 'Cy'], HIDDEN);
    const { Ann, Bob, Cy } = ranked.ids;
    await castAll(service, ranked.id, [
      { ranking: [Cy, Bob, Ann] },
      { ranking: [Cy, Ann, Bob] },
      { ranking: [Bob, Cy, Ann] },
    ]);

    const open = (await page(service, wallOf(poll.id))).body;
    for (const { id } of [poll, ranked]) await service.post(`/admin/elections/${id}/close`);
    const closed = (await page(service, wallOf(poll.id))).body;
    const order = (await page(service, wallOf(ranked.id))).body;

    expect(open).toContain('So far: <span translate="no">Cake</span> leads');
    expect(closed).toContain('<span translate="no">Cake</span> wins: 2 of 3 ballots.');
    expect(closed).toContain('Quorum of 2 met.');
    expect(barsOf(closed)).toEqual([
      ['Cake', '2'],
      ['Soup', '1'],
      ['Tea', '0'],
    ]);
    expect(closed).not.toContain('have voted');
    expect(barsOf(order)).toEqual([
      ['1. Cy', '2'],
      ['2. Bob', '1'],
      ['3. Ann', '0'],
    ]);
  });

  it('does not affect the redirect of the results page and the JSON for programs', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    expect((await page(service, `/e/${id}/results`)).statusCode).toBe(303);
    expect((await service.get(wallOf(id))).json()).toMatchObject({ election_id: id });
  });

  it('says before the opening when voting opens', async () => {
    await using service = await testApp();
    const id = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });

    expect((await page(service, wallOf(id))).body).toContain('Voting opens 1:00\u00a0PM');
  });
});

describe('the chair page', () => {
  it('shows turnout, closes after a confirmation, and then shows the result and a link to the wall', async () => {
    await using service = await testApp();
    const id = await addElection(service, HIDDEN);
    await castAll(service, id, [{ choice: 'yes' }]);
    await service.post(`/admin/elections/${id}/tokens`, { count: 2 });
    const url = `/admin/elections/${id}/chair`;

    const open = (await page(service, url)).body;
    const asked = (await page(service, `${url}?ask=close`)).body;
    const closed = await service.submit(`/admin/elections/${id}/close?from=chair`, {});
    const after = (await page(service, String(closed.headers.location))).body;

    expect(open).toContain('data-figure="used">1<');
    expect(open).toContain('data-figure="tokens">3<');
    expect(open).not.toMatch(/Carried|yes to|Result/);
    expect(asked).toContain('2 people have not voted yet');
    expect(asked).toContain(`action="/admin/elections/${id}/close?from=chair"`);
    expect(closed.headers.location).toBe(`${url}?done=closed`);
    expect(after).toContain('Carried: 1 yes to 0 no.');
    expect(after).toContain(`href="${wallOf(id)}"`);
    expect((await page(service, `/admin/elections/${id}`)).body).toContain(`href="${url}"`);
  });

  it('leads to the result after a close by the clock, with and without script', async () => {
    await using service = await testApp();
    const id = await addElection(service, HIDDEN);
    await castAll(service, id, [{ choice: 'yes' }]);
    const url = `/admin/elections/${id}/chair`;
    const again = /<noscript><meta http-equiv="refresh" content="15"><\/noscript>/;
    const watched = `data-turnout="/admin/elections/${id}" data-status="open" data-turnout-page="${url}"`;
    const statusNow = async () => (await service.get(`/admin/elections/${id}`)).json().election.status;

    const open = (await page(service, url)).body;
    const asked = (await page(service, `${url}?ask=close`)).body;
    const before = await statusNow();
    service.clock.now += 48 * HOUR;
    const after = await statusNow();
    const closed = (await page(service, url)).body;

    expect([before, after]).toEqual(['open', 'closed']);
    expect(open).toMatch(again);
    expect(open).toContain(watched);
    expect(asked).not.toMatch(again);
    expect(asked).toContain(watched);
    expect(closed).toContain('Carried: 1 yes to 0 no.');
    expect(closed).not.toMatch(/data-turnout|http-equiv="refresh"/);
  });
});
