// Safari before 16.4, and browsers on plain http in a local network, send no Sec-Fetch-Site; their forms send
// `Origin: null` from pages with the policy no-referrer, and the page's origin from all others.
import { expect, test } from 'vitest';
import { calendarService, codeFor, FORM, JANE } from '#test/calendar/fixtures.ts';
import { BASE, type TestApp } from '#test/support/app.ts';
import { addElection, addTokens } from '#test/support/factories.ts';

const BROWSER = { accept: 'text/html' };

/** Opens a page as a visitor and submits its forms. @returns the page's policy, the responses and their statuses */
async function sendFormsOf(service: TestApp, url: string) {
  const page = await service.get(url, BROWSER);
  return sendForms(service, page.body, String(page.headers['referrer-policy']));
}

async function sendForms(service: TestApp, body: string, policy: string) {
  const origin = policy === 'no-referrer' ? 'null' : BASE;
  const forms = [...body.matchAll(/<form[^>]* method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)];
  const answers = [];
  for (const [, action = '', inside = ''] of forms) {
    const fields = [...inside.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const sent = Object.fromEntries(
      fields.map(([, name, value = '']) => [name, value.replaceAll('&amp;', '&')]),
    );
    const choice = /name="choice" value="(yes\.*)"/.exec(inside)?.[1];
    const language = /name="language" value="(\w+)"/.exec(inside)?.[1];
    answers.push(
      await service.submit(
        action.replaceAll('&amp;', '&'),
        { ...sent, ...(choice && { choice }), ...(language && { language }) },
        { ...BROWSER, origin },
      ),
    );
  }
  return { policy, answers, statuses: answers.map(({ statusCode }) => statusCode) };
}

test('a ballot is reviewed and cast without Sec-Fetch-Site', async () => {
  await using service = await calendarService();
  const id = await addElection(service);
  const [token = ''] = await addTokens(service, id, 1);

  const ballot = await sendFormsOf(service, `/e/${id}/vote?t=${token}`);
  expect([ballot.policy, ballot.statuses]).toEqual(['no-referrer', [200, 303]]);
  // The switch of languages leads back to the ballot.
  expect(ballot.answers[1]?.headers.location).toBe(`/e/${id}/vote?t=${token}`);
  const review = ballot.answers[0];
  const cast = await sendForms(service, review?.body ?? '', String(review?.headers['referrer-policy']));
  expect(cast.answers[0]?.body).toContain('class="thanks"');
});

test('forms for a new calendar link and for stopping the calendar are accepted', async () => {
  await using service = await calendarService();
  await service.post(FORM, JANE);
  const link = `/api/subs/verify?calendar_id=programs&v=${codeFor(service)}`;
  const { token } = (await service.get(link)).json();

  const dead = await sendFormsOf(service, '/api/subs/verify?calendar_id=programs&v=dead');
  expect(dead.statuses).not.toEqual([]);
  expect(dead.statuses).not.toContain(403);
  const stop = await sendFormsOf(service, `/subscribe-programs?token=${token}`);
  expect([stop.policy, stop.statuses]).toEqual(['no-referrer', [200, 303]]);
  const again = await sendFormsOf(service, `/subscribe-programs?token=${token}`);
  expect(again.statuses).not.toEqual([]);
  expect(again.statuses).not.toContain(403);
});

test('no form of a page for visitors is refused', async () => {
  await using service = await calendarService({ SETLIST_REQUESTS_ENABLED: 'on', FEEDBACK_ENABLED: 'on' });
  const pages = ['/sign-in', '/sign-in/recovery', '/vote', '/vote/my-elections', '/feedback', '/requests'];
  for (const url of [...pages, '/subscribe-programs']) {
    const { statuses } = await sendFormsOf(service, url);
    expect([url, statuses.length > 0, statuses.includes(403)]).toEqual([url, true, false]);
  }
});

test('requests from other sites are still refused', async () => {
  await using service = await calendarService();
  const sites = [
    { origin: 'https://evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const site of sites)
    for (const url of ['/api/subs/unsubscribe', FORM, '/sign-in', '/vote', '/feedback'])
      expect([url, (await service.submit(url, {}, site)).statusCode]).toEqual([url, 403]);
});
