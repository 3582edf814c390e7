import { expect, onTestFinished, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab, watch } from '#test/support/browser/browser-service.ts';
import { screenService, showFilm } from './screen-service.ts';

test('the archive shows a ticket for each film, or says that none was shown yet', async () => {
  await using service = await screenService([], { BASE_URL: 'https://pub.example' });
  const page = async (query = '') => (await service.get(`/screen${query}`, { accept: 'text/html' })).body;
  expect(await page()).toContain('No film has been shown yet.');

  await showFilm(service, '<Heat> & Dust', ['Theme', 'Interlude', 'theme']);
  const body = await page();

  expect(body).toContain('<h2>&lt;Heat&gt; &amp; Dust</h2>');
  expect(body).toContain('noon – 2\u00a0PM, 120 minutes');
  // A repeated song is listed once, where it was heard first.
  const songs = [...body.matchAll(/class="song">.*?<strong>(.*?)<\/strong>/gs)].map(([, song]) => song);
  expect(songs).toEqual(['Theme', 'Interlude']);
  expect(body).toContain('<meta property="og:image" content="https://pub.example/og/screen.png">');
  expect(await page('?before=2026-11-01T00:00:00Z')).toContain('No earlier films');
  expect((await service.get('/screen?before=long+ago', { accept: 'text/html' })).statusCode).toBe(400);
});

test('without BASE_URL its links are relative, whatever the Host header', async () => {
  await using service = await screenService();
  const [one, other] = await Promise.all(
    ['pub.example', 'evil.example'].map((host) => service.get('/screen', { accept: 'text/html', host })),
  );

  expect(other!.body).toBe(one!.body);
  expect(one!.body).toContain('<meta property="og:url" content="/screen">');
});

test('the picture for link previews is drawn from the same films, also without any', async () => {
  await using service = await screenService();
  const picture = () => service.get('/og/screen.png', { accept: 'image/*' });
  const before = await picture();
  await showFilm(
    service,
    '千と千尋の神隠し 🐉 and a name that is far too long for any ticket in this world',
    ['Theme'],
  );
  const after = await picture();

  for (const { headers, rawPayload } of [before, after]) {
    expect(headers['content-type']).toBe('image/png');
    // Width and height in the header of the PNG.
    expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
  }
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

test('the archive goes back page by page, and a film with many songs unfolds', async () => {
  const browser = await sharedBrowser();
  onTestFinished(() => closePages(browser));
  await using service = await screenService();
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const tab = await openTab(browser, origin);
  const troubles = watch(tab.context(), origin);
  for (let film = 1; film <= 21; film += 1)
    await showFilm(service, film === 1 ? null : `Film ${film}`, [
      'One',
      'Two',
      'Three',
      'Four',
      'Five',
      'Six',
    ]);
  await tab.goto('/screen');
  await tab.getByText('2 more songs').first().click();
  await expect.poll(() => tab.getByText('Six').first().isVisible()).toBe(true);
  await tab.getByRole('link', { name: 'Earlier films' }).click();
  await expect.poll(() => tab.getByRole('heading', { name: 'Movie night' }).isVisible()).toBe(true);
  await tab.getByRole('link', { name: 'The newest films' }).click();
  await expect.poll(() => tab.getByRole('heading', { name: 'Film 21' }).isVisible()).toBe(true);

  expect(troubles).toEqual([]);
});
