import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contrast, PAPER } from '#kernel/settings/colours.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { atField, expectRefusal, onPage } from '#test/support/messages.ts';
import { appoint, heard } from '#test/support/people/patrons.ts';
import { mailTo, type TestApp, testApp } from '../../support/app.ts';
import { editorAt } from '../../support/content.ts';
import { addElection, addTokens } from '../../support/factories.ts';
import { multipart } from '../../support/pictures.ts';

const NAME = 'Rowing & Sculling Club';
const ON_PAGES = 'Rowing &amp; Sculling Club';
const EVERYTHING = {
  SETLIST_REQUESTS_ENABLED: 'on',
  FEEDBACK_ENABLED: 'on',
  SPORTS_ENABLED: 'on',
  NOW_SHOWING_ENABLED: 'on',
  SCREENINGS_ENABLED: 'on',
};

let mails: MailServer;
let service: TestApp;
let owner: Record<string, string>;

beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), ...EVERYTHING });
  owner = await appoint(service, 'olga@club.example', 'owner');
  await heard(service, { artist: 'Toto', title: 'Africa' });
});

afterEach(() => service[Symbol.asyncDispose]());

const decide = async (settings: object) => {
  const answer = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: settings,
    headers: { accept: 'application/json', ...owner },
  });
  expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
  return answer.json().settings;
};
const page = (url: string, who: Record<string, string> = {}) =>
  service.get(url, { accept: 'text/html', ...who });

/** Addresses of all pages without parameters. */
const PAGES = fs
  .readFileSync(path.join(import.meta.dirname, '../../routes.txt'), 'utf8')
  .split('\n')
  .flatMap((line) => /^GET +(\/[^ :*]*) /.exec(line)?.[1] ?? [])
  .filter((address) => !/^\/(api|assets|og|calendar|metrics|health|openapi)|\.js$/.test(address));

describe('the name of the club', () => {
  it('is on every page at once, and the default name on none', async () => {
    const id = await addElection(service, { title: 'Shall we?' });
    const pages = [...PAGES, `/e/${id}`, `/admin/elections/${id}`, '/nothing/here', '/setlist/top-songs'];
    for (const address of pages) await page(address, owner);

    await decide({ club_name: NAME, short_name: 'RSC', contact: 'olga@rowing.example' });

    const silent: string[] = [];
    for (const address of pages) {
      const { statusCode, headers, body } = await page(address, owner);
      if (statusCode >= 300 && statusCode < 400) continue;
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      expect([address, body.includes('Public House'), body.includes('The Anchor')]).toEqual([
        address,
        false,
        false,
      ]);
      if (!/<title>[^<]* · Rowing &amp; Sculling Club<\/title>/.test(body)) silent.push(address);
    }
    expect(silent).toEqual([]);
    expect(pages.length).toBeGreaterThan(50);
    const { body } = await page('/');
    expect(body).toContain('<meta name="apple-mobile-web-app-title" content="RSC">');
    expect(body).toContain('<a href="mailto:olga@rowing.example">olga@rowing.example</a>');
  });

  it('changes the ETag of a cached page', async () => {
    const before = await page('/');
    await decide({ club_name: NAME });
    const after = await service.get('/', {
      accept: 'text/html',
      'if-none-match': String(before.headers.etag),
    });
    expect([after.statusCode, after.body.includes(ON_PAGES)]).toEqual([200, true]);
  });

  it('is on screens, which are told to reload', async () => {
    const beat = async () =>
      (
        await service.post('/api/screens/heartbeat', {
          screen: 'snug',
          page: 'tv',
          version: 'x',
          uptime_s: 10,
          viewport: '1x1',
        })
      ).json().build;
    const before = await beat();
    expect(await beat()).toBe(before);
    await decide({ club_name: NAME });

    expect(await beat()).not.toBe(before);
    expect((await beat()).split('~')[0]).toBe(before.split('~')[0]);
    for (const address of ['/tv', '/tv/bar-right', '/tv/projector']) {
      const { body } = await page(address);
      expect(body).toContain(`<span>${ON_PAGES}</span>`);
      expect(body).toContain(`data-build="${await beat()}"`);
    }
    expect((await service.get('/tv-sw.js')).body).toContain(await beat());
  });

  it('is in the next mail: its sender, subject and foot', async () => {
    await decide({
      club_name: NAME,
      contact: 'The boat house',
      imprint_url: 'https://rowing.example/imprint',
    });
    await service.post('/sign-in', { email: 'olga@club.example' });
    await expect.poll(() => mails.mails.length).toBe(1);

    const [mail] = mails.mails;
    expect(mail?.headers.from).toBe('"Rowing & Sculling Club" <votes@club.example>');
    expect(mail?.headers.subject).toContain(NAME);
    expect(mail?.text).toContain(`Sent by ${NAME}.`);
    expect(mail?.text).toContain('The boat house\nImprint: https://rowing.example/imprint');
    expect(mail?.html).toContain(ON_PAGES);
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/Public House|The Anchor/);
  });

  it('is in the feed, without waiting for its job', async () => {
    const { programmeFeed } = service.calendarContext;
    expect(String((await programmeFeed.load()).body)).toContain('X-WR-CALNAME:Club programme');
    await decide({ club_name: NAME });
    await expect
      .poll(async () => String((await programmeFeed.load()).body))
      .toContain('X-WR-CALNAME:Rowing & Sculling Club programme');
    // Only PRODID still has the name of the product.
    const feed = String((await programmeFeed.load()).body).replace(/^PRODID:.*$/m, '');
    expect(feed).not.toContain('Public House');
  });

  it('is on pictures to share', async () => {
    const editor = await editorAt(service);
    const day = { date: '2026-11-24', time: '20:00', end_time: '22:00' };
    await editor.publish('event', { title: 'Quiz', place: 'Pub', in_pub: true, in_calendar: true, ...day });
    await refreshRollups(service.ctx);
    const [, event] = /href="(\/events\/[^"]+)"/.exec((await page('/events')).body) ?? [];
    const pictures = ['/og/screen.png', '/og/setlist/top-songs.png', `/og${event}.png`];
    const tags = () =>
      Promise.all(
        pictures.map(async (address) => {
          const { statusCode, headers } = await service.get(address);
          expect([address, statusCode, headers['content-type']]).toEqual([address, 200, 'image/png']);
          return headers.etag;
        }),
      );
    const before = await tags();
    await decide({ club_name: NAME });
    expect(new Set([...before, ...(await tags())]).size).toBe(6);
  });

  it('is on printed slips', async () => {
    const id = await addElection(service);
    await decide({ club_name: NAME });
    const tokens = await addTokens(service, id, 2);
    const { body } = await service.submit(`/admin/elections/${id}/tokens/print`, { tokens }, owner);
    expect(body).toContain(`<p class="slip-club">${ON_PAGES}</p>`);
  });
});

describe('the accent', () => {
  it('is a separate style sheet with the shades of both themes', async () => {
    expect((await page('/')).body).not.toContain('/assets/theme/');
    const { accent, accent_light, accent_dark } = await decide({ accent: '#ffdd00' });

    expect(accent).toBe('#ffdd00');
    expect(accent_dark).toBe('#ffdd00');
    expect(contrast(accent_light, PAPER.light)).toBeGreaterThanOrEqual(4.5);
    for (const address of ['/', '/tv', '/admin/settings']) {
      const { body, headers } = await page(address, owner);
      const [, sheet = ''] = /<link rel="stylesheet" href="(\/assets\/theme\/[^"]+)">/.exec(body) ?? [];
      expect(headers['content-security-policy']).toContain("style-src 'self';");
      const answer = await service.get(sheet);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': expect.stringContaining('immutable'),
      });
      expect(answer.body).toContain(`--green: ${accent_light};`);
      expect(answer.body).toContain(`--green: ${accent_dark};`);
    }
  });

  it('is in mails and in the icon', async () => {
    const { accent_light, accent_dark } = await decide({ accent: '#0000ff' });
    await service.post('/sign-in', { email: 'olga@club.example' });
    await expect.poll(() => mails.mails.length).toBe(1);
    expect(mails.mails[0]?.html).toContain(accent_light);
    expect(mails.mails[0]?.html).toContain(accent_dark);
    expect(mails.mails[0]?.html).not.toContain('#1f4d3a');
    expect((await page('/')).body).toMatch(/rel="icon" href="data:image\/svg\+xml,[^"]*fill=%22%230000ff%22/);
    expect((await page('/tv')).body).toContain('href="/assets/icon/0000ff.svg"');
    expect((await service.get('/assets/icon/0000ff.svg')).body).toContain('fill="#0000ff"');
  });

  it('is the colour of the feed, as digits and as the nearest name', async () => {
    const { programmeFeed } = service.calendarContext;
    expect(String((await programmeFeed.load()).body)).toContain('COLOR:#1F4D3A\r\nCOLOR:darkgreen\r\n');
    for (const [accent, name] of [
      ['#1d4e89', 'steelblue'],
      ['#8c2f2b', 'brown'],
      ['#c9a400', 'goldenrod'],
      ['#5b2a86', 'rebeccapurple'],
    ] as const) {
      await decide({ accent });
      await expect
        .poll(async () => String((await programmeFeed.load()).body))
        .toContain(`X-APPLE-CALENDAR-COLOR:${accent.toUpperCase()}\r\nCOLOR:${name}\r\n`);
    }
  });

  it('has style sheets and icons only for colours', async () => {
    for (const name of ['theme/red-blue.css', 'theme/0000ff.css', 'icon/%22.svg', 'icon/0000ff.png'])
      expectRefusal(await service.get(`/assets/${name}`), 404, 'not_found');
  });
});

describe('the logo', () => {
  const send = async (bytes: Buffer, to = '/admin/settings/logo') => {
    const form = await multipart({}, { picture: { bytes } });
    return service.request({
      method: 'POST',
      url: to,
      payload: form.payload,
      headers: { accept: 'text/html', host: 'localhost:3000', ...form.headers, ...owner },
    });
  };
  const picture = sharp({ create: { width: 400, height: 100, channels: 3, background: '#cc0000' } });

  it('is in the header of pages, on screens, in mails and in the icons, until it is removed', async () => {
    const answer = await send(await picture.png().toBuffer());
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin/settings/look?done=logo']);

    const { logo } = (await service.get('/api/admin/settings', owner)).json().settings;
    expect((await page('/')).body).toContain(`src="/assets/logo/${logo}-head.png"`);
    expect((await page('/')).body).toContain(
      `<link rel="apple-touch-icon" href="/assets/logo/${logo}-touch.png">`,
    );
    expect((await page('/tv')).body).toContain(`src="/assets/logo/${logo}-screen.png"`);
    expect((await page('/tv')).body).toMatch(
      new RegExp(`data-layout="welcome"\\s+data-shown>\\s[^]{0,200}/assets/logo/${logo}-slide\\.png`),
    );
    expect((await service.get('/tv-sw.js')).body).toContain(`/assets/logo/${logo}-slide.png`);
    for (const [size, width, height] of [
      ['head', 272, 68],
      ['icon', 96, 96],
      ['touch', 180, 180],
      ['screen', 400, 100],
      ['slide', 400, 100],
    ]) {
      const drawn = await service.get(`/assets/logo/${logo}-${size}.png`);
      expect(drawn.headers['content-type']).toBe('image/png');
      expect(await sharp(drawn.rawPayload).metadata()).toMatchObject({ width, height });
    }
    await service.post('/sign-in', { email: 'olga@club.example' });
    await expect.poll(() => mails.mails.length).toBe(1);
    expect(mails.mails[0]?.html).toContain('src="cid:logo@club.invalid"');
    expect(mails.mails[0]?.types).toContain('image/png; name=logo.png');

    expect((await service.submit('/admin/settings/logo/remove', {}, owner)).statusCode).toBe(303);
    expect((await page('/')).body).not.toContain('/assets/logo/');
    expectRefusal(await service.get(`/assets/logo/${logo}-head.png`), 404, 'image_not_found');
  });

  it('is on pictures to share', async () => {
    const isRed = async () => {
      const { rawPayload } = await service.get('/og/screen.png');
      const { data, info } = await sharp(rawPayload)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      for (let at = 0; at < data.length; at += info.channels)
        if (data[at]! > 190 && data[at + 1]! < 20 && data[at + 2]! < 20) return true;
      return false;
    };
    expect(await isRed()).toBe(false);
    await send(await picture.png().toBuffer());
    expect(await isRed()).toBe(true);
  });

  it('is refused if it is not a picture, and the page keeps the accent', async () => {
    await decide({ accent: '#336699' });
    const refused = await send(Buffer.from('GIF, I promise'));
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(atField('picture_unreadable'));
    expect(refused.body).toMatch(/name="accent"[^>]* value="#336699"/);
    await decide({ accent: null });
  });

  it('counts as a use of its picture, which cannot be deleted, and is not served once it is unset', async () => {
    await send(await picture.png().toBuffer());
    const { logo } = (await service.get('/api/admin/settings', owner)).json().settings;
    const answer = await service.request({
      method: 'DELETE',
      url: `/api/admin/pictures/${logo}`,
      headers: { accept: 'application/json', ...owner },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      onPage('picture_in_use', { titles: 'the club’s logo' }),
    ]);
    await decide({ logo: null });
    expectRefusal(await service.get(`/assets/logo/${logo}-head.png`), 404, 'image_not_found');
  });
});
