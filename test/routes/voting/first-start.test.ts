import { expect, it } from 'vitest';
import { mailTo, testApp } from '#test/support/app.ts';
import { addElection, page } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';

it('the dashboard says that no mail can be sent, and what to set', async () => {
  await using bare = await testApp({
    NODE_ENV: 'production',
    LOCAL_BYPASS: '',
    ADMIN_API_KEY: 'k'.repeat(30),
  });
  await using ready = await testApp(mailTo('smtp://127.0.0.1:9'));

  const { body } = await page(bare, '/admin', { authorization: `Bearer ${'k'.repeat(30)}` });

  expect(body).toContain('No mail can be sent yet');
  for (const name of ['MAILER_API_KEY', 'FROM_EMAIL', 'BASE_URL', 'MAILER_URL']) expect(body).toContain(name);
  expect((await page(ready, '/admin')).body).not.toContain('No mail can be sent yet');
});

it('while there is no owner, the pages lead to the set-up and not to a sign-in', async () => {
  await using service = await testApp();

  const dashboard = (await page(service, '/admin')).body;
  const signIn = (await page(service, '/sign-in')).body;
  const front = (await page(service, '/')).body;

  expect(dashboard).toContain('href="/set-up"');
  expect(dashboard).not.toMatch(/<main.*href="\/admin\/pub".*<\/main>/s);
  for (const body of [signIn, front]) {
    expect(body).toContain('This service is not set up yet');
    expect(body).toContain('href="/set-up"');
  }
});

it('the front page leads to the set-up only while there is no owner and nothing is published', async () => {
  await using used = await testApp();
  await addElection(used, { settings: { publish_results_to_home: true } });
  expect((await page(used, '/')).body).not.toContain('/set-up');

  await using owned = await testApp();
  expect((await page(owned, '/')).body).toContain('/set-up');
  await appoint(owned, 'olga@club.example', 'owner');
  expect((await page(owned, '/')).body).not.toContain('/set-up');
});

it('the front page has a link for officers in its footer', async () => {
  await using service = await testApp();

  expect((await page(service, '/')).body).toMatch(/<footer.*href="\/admin">For officers<\/a>.*<\/footer>/s);
});
