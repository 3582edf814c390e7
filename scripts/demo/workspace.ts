// The club's workspace as the demo plays it: events, shifts, announcements and tenders around today.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import {
  event,
  file,
  number,
  onTv,
  pubDatabases,
  record,
  relation,
  select,
  text,
  tick,
  url,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { type FakeWorkspace, startWorkspace } from '#test/stand-ins/workspace-server.ts';

/** Starts it on a free port, with pictures on another. */
export async function playWorkspace(
  zone: string,
  now = Temporal.Now.instant(),
): Promise<FakeWorkspace & AsyncDisposable> {
  const pictures = await servePictures();
  const local = now.toZonedDateTimeISO(zone);
  const workspace = await startWorkspace(pubDatabases(contentOf(local, pictures.urlOf)));
  const close = workspace[Symbol.asyncDispose];
  return Object.assign(workspace, {
    async [Symbol.asyncDispose]() {
      await close();
      await pictures[Symbol.asyncDispose]();
    },
  });
}

const TENDERS = [
  [
    'Marguerite Delacroix',
    'Came for one summer, stayed for eleven years. Knows where every key is.',
    '@marguerite-pours',
  ],
  ['Tom Varga', 'Pours a proper stout and keeps the quiz honest. Ask about the skittle alley.', '@tom-varga'],
  [
    'Ines Albrecht',
    'Treasurer by day. Makes the best Negroni this side of the river.',
    'https://pay.example/ines',
  ],
  [
    'Solomon Adeyemi',
    'Bass in the house band on Thursdays, behind the bar the rest of the week.',
    '@sol-low-end',
  ],
] as const;

function contentOf(local: Temporal.ZonedDateTime, urlOf: (name: string) => string) {
  const today = local.toPlainDate();
  /** A local time some days from today, as the workspace spells it; hours past 24 are the next morning. */
  const at = (days: number, hour: number, minute = 0) =>
    today
      .add({ days })
      .toZonedDateTime(local.timeZoneId)
      .add({ hours: hour, minutes: minute })
      .toString({ timeZoneName: 'never', smallestUnit: 'second' });
  const tenders = TENDERS.map(([name, bio, handle]) =>
    record(name, {
      Active: tick(),
      'Meet your Tender': tick(),
      'Show Profile': tick(),
      Bio: text(bio),
      'Payment A': text(`${name.split(' ')[0]?.toLowerCase()}@club.example`),
      'Payment B': text(handle),
      Photo: file(urlOf(name)),
    }),
  );
  const { hour } = local;
  // Whenever the demo is started, its pub is open.
  const opens = Math.min(16, Math.max(0, hour - 3));
  const shifts = [];
  const assignments = [];
  for (let day = -7; day <= 14; day++) {
    const pair = [tenders[(day + 14) % 4]!, tenders[(day + 15) % 4]!];
    const made = pair.map((tender) => record('Behind the bar', { Tender: relation(tender.id) }));
    assignments.push(...made);
    shifts.push(
      record('Evening', {
        Shift: when(at(day, day === 0 ? opens - 1 : 15), at(day, 25)),
        'Operating Hours': when(at(day, day === 0 ? opens : 16), at(day, 24)),
        Assignments: relation(...made.map((one) => one.id)),
      }),
    );
  }
  const about = (description: string) => ({
    Description: text(description),
    URL: url('https://club.example/programme'),
  });
  return {
    tenders,
    shifts,
    assignments,
    announcements: [
      record('The roof is done', {
        ...onTv,
        Content: text('The skittle alley is dry again. First bowls on Saturday, with soup.'),
        Priority: select('High'),
        Image: file(urlOf('The roof is done')),
      }),
      record('Vote by Sunday', {
        ...onTv,
        Content: text('The chair of the wine committee is still open. Your link is in your mail.'),
        Priority: select('Urgent'),
      }),
      record('Lost: one brass umbrella handle', {
        ...onTv,
        Content: text('Shaped like a heron. It is missed.'),
        Duration: number(12),
      }),
    ],
    events: [
      event(
        'Open hearth and newspapers',
        at(0, Math.max(0, hour - 1)),
        about('Coffee until it is beer.'),
        at(0, hour + 1),
      ),
      event(
        'Quiz: rivers, kings and cheese',
        at(0, hour + 1),
        about('Teams of four. Tom asks.'),
        at(0, hour + 3),
      ),
      event(
        'The house band plays',
        at(0, hour + 3),
        about('Standards, and one they wrote.'),
        at(0, hour + 5),
      ),
      event('Yesterday’s late film', at(-1, 20), {}, at(-1, 23)),
      event(
        'Wine committee: six reds blind',
        at(1, 19),
        { ...about('Bring a pencil.'), 'RC Tag': select('rc-direct') },
        at(1, 21),
      ),
      event(
        'Winter market in the yard',
        today.add({ days: 4 }).toString(),
        about('All day, under the lanterns.'),
      ),
      event('Founders’ dinner', at(6, 19, 30), about('Four courses and one short speech.'), at(6, 23)),
      event('Film: The Third Man', at(8, 20), about('On the big screen, with subtitles.'), at(8, 22)),
      event('Skittles, first league night', at(11, 18), about('Shoes are provided.'), at(11, 22)),
    ],
  };
}

/** Drawn pictures by name, since a demo has no photographs. */
async function servePictures() {
  const server = http.createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const jpeg = await sharp(
      Buffer.from(
        name.includes(' ') && TENDERS.some(([tender]) => tender === name) ? portrait(name) : roof(),
      ),
    )
      .jpeg({ quality: 86 })
      .toBuffer();
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': jpeg.length }).end(jpeg);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const COATS = ['#1f4d3a', '#8c2f2b', '#1d2b4f', '#a86f1c'];
const SKINS = ['#e8c4a2', '#c98f68', '#f0d3b8', '#8a5a3c'];
const HAIRS = ['#2b1a14', '#7a4a24', '#d9b26a', '#1a1512'];

function portrait(name: string): string {
  const who = TENDERS.findIndex(([tender]) => tender === name);
  const long = who % 2 === 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200" viewBox="0 0 900 1200">
    <rect width="900" height="1200" fill="#efe6d5"/><rect y="760" width="900" height="440" fill="#d9c9a8"/>
    ${[90, 240, 620, 770].map((x, i) => `<rect x="${x}" y="${180 + (i % 2) * 60}" width="70" height="${580 - (i % 2) * 60}" rx="26" fill="${['#5f7f6d', '#a86f1c', '#7d8fa8', '#8c2f2b'][i]}" opacity=".55"/>`).join('')}
    <path d="M150 1200 C170 880 330 820 450 820 S730 880 750 1200Z" fill="${COATS[who]}"/>
    <path d="M380 690h140v150q-70 70-140 0z" fill="${SKINS[who]}"/>
    ${long ? `<path d="M250 520c0-230 400-230 400 0v260q-60 40-90-40V540H340v200q-30 80-90 40z" fill="${HAIRS[who]}"/>` : ''}
    <ellipse cx="450" cy="540" rx="150" ry="190" fill="${SKINS[who]}"/>
    <path d="M296 500c-6-190 314-190 308 0-40-80-90-100-150-104-70-4-120 40-158 104z" fill="${HAIRS[who]}"/>
    <circle cx="395" cy="545" r="13" fill="#241a14"/><circle cx="505" cy="545" r="13" fill="#241a14"/>
    <path d="M390 630q60 50 120 0" fill="none" stroke="#6e2f26" stroke-width="10" stroke-linecap="round"/>
    ${who === 1 ? `<path d="M360 600q90-40 180 0-10 60-90 50-80 10-90-50z" fill="${HAIRS[who]}" opacity=".9"/>` : ''}</svg>`;
}

function roof(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" viewBox="0 0 1600 1000">
    <rect width="1600" height="1000" fill="#20384a"/><circle cx="1250" cy="210" r="90" fill="#f1e2b8"/>
    <path d="M0 760 L420 420 L840 760Z" fill="#8c2f2b"/><path d="M620 760 L1060 360 L1600 800 V760Z" fill="#6e2320"/>
    ${Array.from({ length: 9 }, (_, i) => `<path d="M${i * 110 - 40} ${790 - Math.min(i, 8 - i) * 62} h150" stroke="#b5524a" stroke-width="8" opacity=".6"/>`).join('')}
    <rect y="760" width="1600" height="240" fill="#3b2a1e"/>
    ${Array.from({ length: 7 }, (_, i) => `<rect x="${90 + i * 220}" y="820" width="120" height="130" rx="8" fill="#f0c35e"/>`).join('')}</svg>`;
}
