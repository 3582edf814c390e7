import { expect, it } from 'vitest';
import { mailTo, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
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
  expect(body).toContain('An owner enters the mail server and the address of this service in the settings.');
  expect(body).not.toContain('MAILER_URL');
  expect((await page(ready, '/admin')).body).not.toContain('No mail can be sent yet');
});

it('while there is no owner, the pages lead to the set-up and not to a sign-in', async () => {
  await using service = await testApp();

  for (const path of ['/admin', '/sign-in', '/']) {
    const { body } = await page(service, path);
    expect(body).toContain('This service is not set up');
    expect(body).toContain('href="/set-up"');
  }
  await appoint(service, 'olga@club.example', 'owner');
  expect((await page(service, '/')).body).not.toContain('/set-up');
});

it('the front page has a link for officers in its footer', async () => {
  await using service = await testApp();

  expect((await page(service, '/')).body).toMatch(/<footer.*href="\/admin">For officers<\/a>.*<\/footer>/s);
});
