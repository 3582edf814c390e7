import { message } from '#test/support/messages.ts';
// Hostile text on pages and in files, and pages that depend on the Host header.
import { type Attack, type Outcome, unless } from './attack.ts';
import { each } from './request.ts';
import { fill } from './routes.ts';
import { BY_KEY, BY_TOKEN, DEVICE_TOKEN } from './seed.ts';
import type { Target } from './target.ts';

const HOSTILE = `'"></script><x-hostile onload=alert(1)>`;
const AS_STAFF = { ...BY_KEY, ...BY_TOKEN };
const AS_BROWSER = { accept: 'text/html' };

/** Returns the address of every GET route, with one surface of the setlist. */
function pagesOf({ seed: { routes, election } }: Target): string[] {
  return routes
    .filter(
      ({ method, path }) =>
        method === 'GET' && !path.includes('/current') && path !== '/api/admin/analytics-test',
    )
    .map(({ path }) =>
      fill(
        path.replace('/setlist/:surface', '/setlist/top-songs').replace(':file', 'top-songs.png'),
        election,
      ),
    );
}

/** Writes hostile text into every text field, then reads every page. */
async function writeHostileText(target: Target): Promise<Outcome> {
  const { election } = target.seed;
  const post = (path: string, body: object, headers: Record<string, string> = AS_STAFF) =>
    target.ask(path, { method: 'POST', headers, body });
  const open = { open_at: '2026-01-01T00:00:00Z', close_at: '2099-01-01T00:00:00Z' };
  const settings = { publish_results_to_home: true };
  const options = [HOSTILE, `${HOSTILE} 2`];
  const poll = { title: HOSTILE, description: HOSTILE, ballot_type: 'POLL', options, settings, ...open };
  const device = { authorization: `Bearer ${DEVICE_TOKEN}` };
  const written = [
    await post('/admin/elections', poll),
    await post('/admin/distribution-lists', { name: HOSTILE, description: HOSTILE }),
    await post(`/admin/elections/${election}/tokens`, { count: 1, batch_name: HOSTILE }),
    await post('/api/feedback', {
      message: HOSTILE,
      name: HOSTILE,
      contact: HOSTILE,
      page: HOSTILE.slice(0, 60),
    }),
    await post('/api/now-playing/ingest', { artist: HOSTILE, title: HOSTILE, album: HOSTILE }, device),
    await post('/api/setlist/request', { artist: `${HOSTILE} again`, title: HOSTILE, note: HOSTILE }),
    await post('/api/admin/hidden-names', { artist: `${HOSTILE} hidden` }),
  ];
  const { id } = JSON.parse(written[0]!.body) as { id: string };
  const addresses = [
    ...pagesOf(target),
    ...['codes', 'mails', 'ballot', 'rules', 'history'].map((under) => `/admin/elections/${id}/${under}`),
    ...[`/admin/elections/${id}`, `/e/${id}`, `/e/${id}/vote/poll`, `/admin/elections/${id}/results-preview`],
    ...['/e/x', '/nowhere'].map((path) => `${path}?q=${encodeURIComponent(HOSTILE)}`),
    ...[
      '/admin/audit-logs?action=',
      '/admin/calendar?q=',
      '/feedback?page=',
      '/now?before=',
      '/subscribe-programs?error=',
      '/subscribe-programs/confirm?v=',
      '/tv?screen=',
      '/sign-in?next=',
    ].map((path) => path + encodeURIComponent(HOSTILE)),
  ];
  const answers = await each(addresses, (path) =>
    target.ask(path, { headers: { ...AS_STAFF, ...AS_BROWSER } }),
  );
  const html = answers.map(({ headers, body }) =>
    String(headers['content-type']).startsWith('text/html') ? body : '',
  );
  const seen = html.filter((body) => body.includes('x-hostile')).length;
  return {
    saw: `hostile text in ${written.length} places (${written.map(({ status }) => status).join(', ')}); ${html.filter(Boolean).length} pages, ${seen} show it`,
    wrong: [
      ...unless(
        written.every(({ status }) => status < 300),
        'some of it was not taken',
      ),
      ...unless(seen > 5, 'hardly a page shows it'),
      ...addresses.flatMap((path, at) =>
        unless(!html[at]!.includes('<x-hostile'), `${path} has it as markup`),
      ),
      ...addresses.flatMap((path, at) =>
        unless(!answers[at]!.body.includes(message('internal_error')), `${path} failed`),
      ),
      ...addresses.flatMap((path, at) =>
        unless(
          !html[at] || answers[at]!.headers['content-security-policy'] !== undefined,
          `${path} has no content security policy`,
        ),
      ),
    ],
  };
}

/** Requests pages with names of inherited properties in their query fields. */
async function askForPrototype(target: Target): Promise<Outcome> {
  const fields = ['done', 'error', 'invites', 'ask', 'range', 'state', 'sent', 'surface'];
  const pages = pagesOf(target).filter((path) => !path.endsWith('.png'));
  const addresses = pages.flatMap((path) => [
    ...fields.map((field) => `${path}?${field}=constructor`),
    ...['__proto__', 'toString'].map((name) => `${path}?done=${name}`),
  ]);
  const answers = await each(addresses, (path) =>
    target.ask(path, { headers: { ...AS_STAFF, ...AS_BROWSER } }),
  );
  return {
    saw: `${addresses.length} addresses`,
    wrong: addresses.flatMap((path, at) =>
      unless(
        !/native code|\[object |Internal server error/.test(answers[at]!.body),
        `${path} shows a native object`,
      ),
    ),
  };
}

/** Cells that a spreadsheet would run as formulas, also with other separators. */
const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(1)',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  'hello;=1+1',
  'hello;=1+1;x',
  'hello\t=1+1',
  'hello\n=1+1',
  'hello,=1+1',
  'hello "=1+1"',
  'hello;＝1+1',
];

async function exportFormulas(target: Target): Promise<Outcome> {
  const [many, few] = [FORMULAS.slice(0, 6), FORMULAS.slice(6)];
  for (const message of [...many, ...few]) {
    // Each from a different browser and address.
    await target.ask('/api/feedback', { method: 'POST', body: { message, name: message, contact: message } });
  }
  const feedback = await target.ask('/api/admin/feedback?format=csv', { headers: BY_TOKEN });
  const names = FORMULAS.filter((name) => !/[\t\n]/.test(name));
  const election = await target.ask('/admin/elections', {
    method: 'POST',
    headers: BY_KEY,
    body: {
      title: 'Formulas',
      ballot_type: 'RANKED_CONDORCET',
      candidates: names,
      open_at: '2026-01-01T00:00:00Z',
      close_at: '2099-01-01T00:00:00Z',
    },
  });
  const { id } = JSON.parse(election.body) as { id: string };
  const listed = await target.ask(`/e/${id}`);
  const ranking = (JSON.parse(listed.body) as { election: { candidates: { id: string }[] } }).election
    .candidates;
  const codes = await target.ask(`/admin/elections/${id}/tokens`, {
    method: 'POST',
    headers: BY_KEY,
    body: { count: 1 },
  });
  const [token] = (JSON.parse(codes.body) as { tokens: string[] }).tokens;
  await target.ask(`/e/${id}/vote`, {
    method: 'POST',
    body: { token, ranking: ranking.map((one) => one.id) },
  });
  // Before the close so few ballots are not exported.
  await target.ask(`/admin/elections/${id}/close`, { method: 'POST', headers: BY_KEY, body: {} });
  const ballots = await target.ask(`/admin/elections/${id}/export?format=csv`, { headers: BY_KEY });
  const run = (name: string, { body }: { body: string }) =>
    formulasIn(body).map((cell) => `${name}: a cell is ${JSON.stringify(cell)}`);
  return {
    saw: `${FORMULAS.length} formulas; feedback.csv ${feedback.status}, ballots.csv ${ballots.status}`,
    wrong: [
      ...unless(
        feedback.body.includes('SUM') && ballots.body.includes('SUM'),
        'the files do not hold what was entered',
      ),
      ...run('feedback', feedback),
      ...run('ballots', ballots),
    ],
  };
}

/** Returns cells that begin like a formula, for each separator that a spreadsheet may expect. */
function formulasIn(csv: string): string[] {
  return [',', ';', '\t'].flatMap((separator) => {
    // A quote counts only at the beginning of a cell.
    const cell = new RegExp(`(?:^|[\\r\\n${separator}])("(?:[^"]|"")*"|[^\\r\\n${separator}]*)`, 'g');
    return [...csv.matchAll(cell)]
      .map(([, text = '']) => (text.startsWith('"') ? text.slice(1) : text))
      .filter((text) => /^[=+\-@＝＋－＠\t\r]/.test(text));
  });
}

/** Checks that without BASE_URL pages that depend on the Host header cannot be kept in a shared cache. */
async function poisonLinks(target: Target): Promise<Outcome> {
  const pages = pagesOf(target).filter((path) => !/^\/(admin|api\/admin|metrics)/.test(path));
  const load = (path: string, host: string, accept: string) =>
    target.ask(path, { headers: { host, accept, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' } });
  const found = await each(pages, async (path) => {
    const results = await each(['text/html', 'application/json'], async (accept) => {
      // The first host is requested twice: a page that changes with time differs between these two as well.
      const evil = await load(path, 'evil.example', accept);
      const good = await load(path, 'good.example', accept);
      const again = await load(path, 'evil.example', accept);
      const follows =
        evil.body.includes('evil.example') || (evil.body === again.body && evil.body !== good.body);
      const kept = !/no-store|private/.test(String(evil.headers['cache-control'] ?? ''));
      return { follows, kept };
    });
    return {
      path,
      follows: results.some(({ follows }) => follows),
      kept: results.some(({ follows, kept }) => follows && kept),
    };
  });
  return {
    saw: `${pages.length} pages, ${found.filter(({ follows }) => follows).length} follow the Host header`,
    wrong: found.flatMap(({ path, kept }) => unless(!kept, `${path} follows it and may be cached`)),
  };
}

export const hostileText: Attack[] = [
  ['hostile text on every page', writeHostileText],
  ['names that every object has', askForPrototype],
  ['formulas in CSV files', exportFormulas],
];

export const foreignLinks: Attack[] = [['links to whatever Host was sent', poisonLinks]];
