import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import {
  event,
  onTv,
  type PubPages,
  record,
  relation,
  select,
  text,
  tick,
  url,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { enterMail, type TestApp } from '#test/support/app.ts';
import { heard } from '#test/support/people/patrons.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

// The tests' clock is at noon on Sat, Nov 21, 2026, in New York (UTC-5).
const at = (time: string, day = '21') => `2026-11-${day}T${time}:00.000-05:00`;

/** The text of a page's main part, without tags and hidden elements. */
async function wordsOf(service: TestApp, address: string): Promise<string> {
  const { body, statusCode } = await service.get(address, { accept: 'text/html' });
  expect(statusCode).toBe(200);
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
  return main
    .replace(/<span data-status="\w+" hidden>.*?<\/span><\/span>/gs, '')
    .replace(/<(?:svg|h\d|li|p|div)[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replaceAll('\u00a0', ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

/** Starts the service with this content, and waits until its feeds match the pattern. */
async function readPub(pages: PubPages, known: RegExp): Promise<Pub> {
  const pub = await startPub(pages);
  const feeds = async () =>
    (await pub.service.get('/api/events?window=30')).body + (await pub.service.get('/api/tenders')).body;
  await expect.poll(feeds).toMatch(known);
  return pub;
}

test('what’s on: the announcements in one line that unfolds, today, the coming days, the hours', async () => {
  const said = (priority: string, content: string) => ({
    ...onTv,
    Priority: select(priority),
    Content: text(content),
  });
  await using pub = await readPub(
    {
      events: [event('Quiz night', at('19:00')), event('Folk club', at('19:00', '24'))],
      announcements: [
        record('The boiler is broken', said('Urgent', 'Bring a coat.')),
        record('New mugs', said('Normal', 'Bring your own.')),
      ],
      shifts: [record('Saturday', { Shift: when(at('11:00'), at('18:00')) })],
    },
    /Quiz night.*boiler/s,
  );
  expect(await wordsOf(pub.service, '/events')).toMatch(
    /^What’s on\nOpen\nOpen until 6:00 PM\nAnnouncements:\sThe boiler is broken · New mugs\n.*Bring a coat\..*Bring your own\.\nToday\n.*Quiz night\n.*Folk club\n.*Opening hours/s,
  );
  const { body } = await pub.service.get('/events', { accept: 'text/html' });
  expect(body).toMatch(/<details class="news news-urgent"><summary>/);
});

test('the programme shows two weeks by day, with the statuses of today', async () => {
  await using pub = await readPub(
    {
      events: [
        event('Early chess', at('09:00')),
        event('Lunch', at('11:30'), {}, at('14:00')),
        event('Knitting', at('12:45')),
        event('Quiz night', at('19:00')),
        event('Late session', at('23:00', '20'), {}, at('12:30')),
        event('Roast', at('13:00', '22')),
        event('Last of the fortnight', '2026-12-05T20:00:00.000-05:00'),
        event('Beyond', '2026-12-06T20:00:00.000-05:00'),
        event('<b>Bold</b> & brave', at('20:00', '22')),
      ],
    },
    /Beyond/,
  );

  const words = await wordsOf(pub.service, '/events');
  expect(words).toMatch(/Today\n11 PM – 12:30 PM\nLate session\nNow/s);
  expect(words).toMatch(/Early chess\n?Over\n11:30 AM – 2 PM\nLunch\nNow\n.*Knitting\nNext\n.*Quiz night\n/s);
  expect(words).toMatch(/Sun, Nov 22\nFrom 1 PM\nRoast\n.*&lt;b&gt;Bold&lt;\/b&gt; &amp; brave/s);
  expect(words).toMatch(/Sat, Dec 5\n.*Last of the fortnight/s);
  expect(words).not.toContain('Beyond');
  const ways = async () => {
    pub.service.clock.now += 2_000;
    const { body } = await pub.service.get('/events', { accept: 'text/html' });
    const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
    return [...main.matchAll(/<a class="[^"]+" href="([^"]+)"/g)].map(([, href = '']) => href);
  };
  // Each event of today that is not over goes into a calendar by itself.
  const ofToday = /^\/events\/\w+\/calendar\.ics$/;
  const own = (await ways()).filter((href) => ofToday.test(href));
  expect(own).toHaveLength(4);
  for (const href of own) expect((await pub.service.get(href)).body).toMatch(/SUMMARY:(?!Early chess)/);
  const others = async () => (await ways()).filter((href) => !ofToday.test(href));
  expect(await others()).toEqual(['/programme']);
  enterMail(pub.service);
  expect(await others()).toEqual(['/programme', '/subscribe-programs']);
});

test('links filter the events by kind if there are several kinds', async () => {
  await using pub = await readPub(
    {
      events: [
        event('Club night', at('19:00'), { 'RC Tag': select('RC Direct') }),
        event('Rowers’ dinner', at('20:00'), { 'RC Tag': select('RC Affiliate') }),
      ],
    },
    /Club night/,
  );
  const links = async (url: string) =>
    [...(await pub.service.get(url)).body.matchAll(/href="(\/events(?:\?[^"]*)?)"( aria-current="true")?/g)]
      .map(([, href, here]) => href + (here ?? ''))
      .filter((href) => href.includes('?') || href.includes(' '));

  expect(await links('/events')).toEqual([
    ...['/events aria-current="true"', '/events?kind=direct', '/events?kind=affiliate'],
  ]);
  const club = await wordsOf(pub.service, '/events?kind=direct');
  expect(club).toContain('Club night');
  expect(club).not.toContain('Rowers');
  expect(await links('/events?kind=direct')).toContain('/events?kind=direct aria-current="true"');
  const none = await wordsOf(pub.service, '/events?kind=other');
  expect(none).toMatch(/None of these in the next two weeks\n.*All events/s);
  for (const odd of ['?kind=__proto__', '?kind=', '?kind=direct&kind=other'])
    expect(await wordsOf(pub.service, `/events${odd}`)).toMatch(/Club night.*Rowers/s);

  await using plain = await readPub({ events: [event('Chess', at('19:00'))] }, /Chess/);
  expect(await wordsOf(plain.service, '/events')).not.toContain('By the club');
});

test('the programme says who is behind the bar and the hours of the next seven days', async () => {
  const ada = record('Ada Lovelace', { Active: tick() });
  await using pub = await readPub(
    {
      tenders: [ada],
      shifts: [record('Lunch', { Shift: when(at('11:00'), at('15:00')), Tenders: relation(ada.id) })],
    },
    /"name":"Ada"/,
  );

  const words = await wordsOf(pub.service, '/events');
  expect(words).toMatch(/Open\nOpen until 3:00 PM\nAda behind the bar\./);
  expect(words).toMatch(
    /Opening hours\nToday\s11:00 AM – 3:00 PM\n.*Sun, Nov 22\w*\sClosed\n.*Fri, Nov 27\w*\sClosed/s,
  );
  expect(words).not.toContain('Nov 28');
  pub.service.clock.now += 4 * 60 * MINUTE;
  expect(await wordsOf(pub.service, '/events')).toContain('Closed for tonight');
});

test('the opening hours are a page of their own: open now, who is behind the bar, and two weeks', async () => {
  const ada = record('Ada Lovelace', { Active: tick() });
  await using pub = await readPub(
    {
      tenders: [ada],
      shifts: [record('Lunch', { Shift: when(at('11:00'), at('15:00')), Tenders: relation(ada.id) })],
    },
    /"name":"Ada"/,
  );

  expect(await wordsOf(pub.service, '/hours')).toMatch(
    /^Opening hours\nOpen\nOpen until 3:00 PM\nAda behind the bar\..*Today\s11:00 AM – 3:00 PM\n.*Fri, Dec 4\w*\sClosed$/s,
  );
  await using unknown = await startPub();
  expect(await wordsOf(unknown.service, '/hours')).toContain('The hours are not known yet');
});

test('without any content both pages say so, and show no opening hours', async () => {
  await using pub = await startPub();
  await pub.refresh();
  expect(await wordsOf(pub.service, '/events')).toContain('The next two weeks are free');
  expect(await wordsOf(pub.service, '/tenders/')).toContain('Nobody is listed yet');
  expect(await wordsOf(pub.service, '/tenders/')).not.toContain('Opening hours');
});

test('with the workspace down both pages show the last content, and the programme says its time', async () => {
  await using pub = await readPub(
    {
      events: [event('Quiz night', at('19:00'))],
      tenders: [record('Ada', { Active: tick() })],
    },
    /Quiz night.*Ada/s,
  );
  pub.workspace.down = { status: 503 };
  pub.service.clock.now += 11 * MINUTE;
  await pub.refresh();

  const words = await wordsOf(pub.service, '/events');
  expect(words).toContain('This is the state of Sat, Nov 21, 2026, 12:00 PM New York time.');
  expect(words).toContain('Quiz night');
  expect(await wordsOf(pub.service, '/tenders/')).toContain('Ada');
});

test('a link to a tender shows that tender first, with only safe payment links', async () => {
  const ada = record('Ada Lovelace', {
    Active: tick(),
    Bio: text('Pours since 2019.\n\nOn Saturdays with the band.'),
    'Payment A': text('ada@club.example'),
    'Payment B': text('https://pay.example/ada'),
    'Profile URL': url('https://ada.example/'),
  });
  const bo = record('Bo', {
    Active: tick(),
    'Payment A': text('javascript:alert(1)'),
    'Payment B': text('@bo'),
  });
  const gone = record('Cy', { Active: tick(false) });
  await using pub = await readPub({ tenders: [ada, bo, gone] }, /pay\.example/);

  expect(await wordsOf(pub.service, '/tenders/')).toMatch(/^Behind the bar\n.*Ada Lovelace\n.*Bo\n/s);
  const link = (await pub.service.get(`/tender/${bo.id.toUpperCase()}`)).headers.location ?? '';
  const words = await wordsOf(pub.service, link);
  expect(words).toMatch(/^Behind the bar\nBo\n.*@bo\n.*Everyone else\n.*Ada Lovelace\n/s);

  const { body } = await pub.service.get(link, { accept: 'text/html' });
  expect(body).toContain('<title>Bo · Public House</title>');
  expect(body).not.toMatch(/href="javascript/i);
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
  expect([...main.matchAll(/href="((?!\/)[^"]+)"/g)].map(([, href]) => href)).toEqual([
    'mailto:ada@club.example',
    'https://pay.example/ada',
    'https://ada.example/',
  ]);
  for (const none of [gone.id, 'zz', '%00', '../..'])
    expect(await wordsOf(pub.service, `/tenders/?tender=${none}`)).toContain(
      none === '../..' || none === '%00' ? 'Behind the bar' : 'is not listed any more',
    );
  expect(await wordsOf(pub.service, '/tenders/?tender=a&tender=b')).toContain('Behind the bar');
});

test('whoever is behind the bar now is listed first, and each way to pay has one button', async () => {
  const ada = record('Ada Lovelace', { Active: tick(), 'Payment A': text('ada@club.example') });
  const zoe = record('Zoe', {
    Active: tick(),
    'Payment A': text('+1 555 010 0199'),
    'Payment B': text('@zoe'),
  });
  await using pub = await readPub(
    {
      tenders: [ada, zoe],
      shifts: [record('Saturday', { Shift: when(at('11:00'), at('18:00')), Tenders: relation(zoe.id) })],
    },
    /"activeTenders":\[\{[^\]]*Zoe/s,
  );
  const words = await wordsOf(pub.service, '/tenders/');
  expect(words).toMatch(/\nZoe\nBehind the bar now\n.*Ada Lovelace/s);
  expect(words.match(/Copy \w+ of \w+/g)).toEqual([
    'Copy number of Zoe',
    'Copy name of Zoe',
    'Copy address of Ada',
  ]);
});

test('the front page says what the club is, whether it is open, what is on today and what is playing', async () => {
  const ada = record('Ada Lovelace', { Active: tick() });
  await using pub = await startPub({
    events: [event('Film club', '2026-11-21T19:00:00.000-05:00')],
    tenders: [ada],
    shifts: [
      record('Lunch', {
        Shift: when('2026-11-21T11:00:00.000-05:00', '2026-11-21T15:00:00.000-05:00'),
        Tenders: relation(ada.id),
      }),
    ],
  });
  const { service } = pub;
  await heard(service, { artist: 'Queen', title: 'SOS' });
  service.ctx.config.settings = { ...service.ctx.config.settings, about: 'A pub by the harbour.' };

  const words = await wordsOf(service, '/');

  expect(words).toMatch(/^Public House\nA pub by the harbour\./);
  expect(words).toContain('Open until 3:00 PM');
  expect(words).toContain('Ada behind the bar');
  expect(words).toContain('Today: Film club');
  expect(words).toContain('Playing: SOS');
  const { body } = await service.get('/', { accept: 'text/html' });
  expect(body).toMatch(/At the pub.*href="\/events".*href="\/tenders\/"/s);
});
