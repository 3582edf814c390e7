import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, page } from '#test/support/factories.ts';
import { addCodes, addPaper, motion } from '#test/voting/ballot-papers/a-paper.ts';

type Fields = [name: string, value: string][];

interface Kind {
  /** Creates the election; the ballots to compare, as the ballot page sends them. */
  make(service: TestApp): Promise<{ id: string; route: string; ballots: Fields[]; wrong: Fields[] }>;
}

const NAMES = ['Jo', 'Anne-Sophie & “Co” <Ltd>', 'Łukasz Żółć'];
const codes = { receipts: 'content', hide_results_until_close: true, allow_blank: true };
const BLANK: Fields = [['blank', 'true']];

/** All orders of all non-empty selections. */
function rankings(ids: readonly string[]): string[][] {
  return ids.flatMap((id) => {
    const others = ids.filter((other) => other !== id);
    return [[id], ...rankings(others).map((rest) => [id, ...rest])];
  });
}

const ranks = (ids: readonly string[], order: readonly string[]): Fields =>
  ids.map((id) => [`rank_${id}`, order.includes(id) ? String(order.indexOf(id) + 1) : '']);

async function ranked(service: TestApp, settings: object) {
  const { id, ids } = await addRanked(service, NAMES, { settings });
  const all = Object.values(ids);
  return { id, route: 'vote', all, orders: rankings(all) };
}

async function poll(service: TestApp, settings: object) {
  const { id, ids } = await addPoll(service, NAMES, { settings });
  return { id, route: 'vote/poll', all: Object.values(ids) };
}

const KINDS: Record<string, Kind> = {
  'yes or no': {
    make: async (service) => ({
      id: await addElection(service, { settings: codes }),
      route: 'vote',
      ballots: [...['yes....', 'no.....', 'abstain'].map((choice): Fields => [['choice', choice]]), BLANK],
      wrong: [],
    }),
  },
  'one option of a poll': {
    make: async (service) => {
      const { all, ...election } = await poll(service, { ...codes, randomize_order: true });
      return {
        ...election,
        ballots: [...all.map((id): Fields => [['selected_option', id]]), BLANK],
        wrong: [],
      };
    },
  },
  'several options of a poll': {
    make: async (service) => {
      const { all, ...election } = await poll(service, {
        poll_response_type: 'multiple',
        allow_blank: true,
      });
      const sets = new Map(rankings(all).map((order) => [order.toSorted().join(), order.toSorted()]));
      return {
        ...election,
        ballots: [
          ...[...sets.values()].map((set) => set.map((id): Fields[0] => ['selected_options', id])),
          BLANK,
        ],
        wrong: [],
      };
    },
  },
  'yes or no to each': {
    make: async (service) => {
      const settings = { ...codes, randomize_order: true, max_yes: 2 };
      const id = await addElection(service, { ballot_type: 'YES_NO_EACH', options: NAMES, settings });
      const { election } = (await service.get(`/e/${id}`)).json();
      const fields = (answers: string[]): Fields =>
        answers.flatMap((answer, at) => (answer ? [[`answers.${election.options[at].id}`, answer]] : []));
      const yes = 'yes....';
      return {
        id,
        route: 'vote',
        ballots: [[yes], ['', 'no.....', 'abstain'], [yes, yes, 'no.....'], ['abstain']].map(fields),
        wrong: [[], [yes, yes, yes]].map(fields),
      };
    },
  },
  'a complete ranking': {
    make: async (service) => {
      const { all, orders, ...election } = await ranked(service, codes);
      const complete = orders.filter((order) => order.length === all.length);
      const partial = orders.filter((order) => order.length < all.length);
      return {
        ...election,
        ballots: [...complete.map((order) => ranks(all, order)), [...ranks(all, []), ...BLANK]],
        wrong: [...partial.map((order) => ranks(all, order)), all.map((id) => [`rank_${id}`, '2'])],
      };
    },
  },
  'a partial ranking': {
    make: async (service) => {
      const { all, orders, ...election } = await ranked(service, {
        ranking: 'partial',
        randomize_order: true,
      });
      return {
        ...election,
        ballots: orders.map((order) => ranks(all, order)),
        wrong: [ranks(all, []), all.map((id) => [`rank_${id}`, '1'])],
      };
    },
  },
  'a ranking for several seats': {
    make: async (service) => {
      const { id, ids } = await addRanked(service, NAMES, {
        ballot_type: 'RANKED_STV',
        settings: { seats: 2, ...codes },
      });
      const all = Object.values(ids);
      return {
        id,
        route: 'vote',
        ballots: rankings(all).map((order) => ranks(all, order)),
        wrong: [ranks(all, []), all.map((id) => [`rank_${id}`, '1'])],
      };
    },
  },
};

/** Posts a form over a connection of its own; `bytes` are all that the service sent, status and headers included. */
async function post(service: TestApp, path: string, fields: Fields, accept: string) {
  const body = String(new URLSearchParams(fields));
  const { port } = service.app.server.address() as AddressInfo;
  const socket = net.connect(port, '127.0.0.1');
  const head = [
    ...[`POST ${path} HTTP/1.1`, 'Host: club.example', `Accept: ${accept}`],
    ...['Accept-Encoding: gzip, deflate, br, zstd', 'Connection: close'],
    ...['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`],
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(socket, 'close');
  return { bytes: Buffer.byteLength(text), text, status: Number(text.slice(9, 12)) };
}

/** The fields of each form on a page. */
function formsIn(text: string): { action: string; fields: Fields }[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inside = '']) => ({
      action,
      fields: [...inside.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    }),
  );
}

describe.each(Object.entries(KINDS))('%s', (_what, { make }) => {
  test('is reviewed, changed and cast in the same number of bytes whatever was chosen', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '1000000', RATE_LIMIT_VOTE: '1000000' });
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    const { id, route, ballots, wrong } = await make(service);
    const tokens = await addTokens(service, id, 3 * ballots.length + 1);
    const noted: [what: string, bytes: number][] = [];
    const note = (what: string, bytes: number) => noted.push([what, bytes]);
    const HTML = 'text/html';

    for (const ballot of ballots) {
      const token = tokens.pop()!;
      const sent: Fields = [['token', token], ['submission_id', crypto.randomUUID()], ...ballot];
      const review = await post(service, `/e/${id}/vote/review`, sent, HTML);
      expect([review.status, review.text]).toEqual([200, expect.stringContaining('Is this your vote?')]);
      expect(review.text).toMatch(/^content-encoding: identity\r$/im);
      expect(review.text).not.toMatch(/^etag:/im);
      note('review', review.bytes);
      const [cast, edit] = formsIn(review.text);
      note('form that casts', String(new URLSearchParams(cast!.fields)).length);
      note('form that changes', String(new URLSearchParams(edit!.fields)).length);
      note('change', (await post(service, edit!.action, edit!.fields, HTML)).bytes);
      const thanks = await post(service, `/e/${id}/${route}`, cast!.fields, HTML);
      expect(thanks.status).toBe(200);
      note('confirmation', thanks.bytes);
      note('confirmation, sent again', (await post(service, `/e/${id}/${route}`, cast!.fields, HTML)).bytes);
      const fresh: Fields = cast!.fields
        .filter(([name]) => name !== 'inclusion_code')
        .map(([name, value]) => [name, name === 'token' ? tokens.pop()! : value]);
      note('JSON', (await post(service, `/e/${id}/${route}`, fresh, 'application/json')).bytes);
    }
    const token = tokens.pop()!;
    for (const ballot of wrong) {
      const sent: Fields = [['token', token], ['submission_id', crypto.randomUUID()], ...ballot];
      const refused = await post(service, `/e/${id}/vote/review`, sent, HTML);
      expect(refused.status).toBe(400);
      note('incomplete', refused.bytes);
      const filled = await post(service, `/e/${id}/vote/review`, [...sent, ['rest', 'as_listed']], HTML);
      note('filled', filled.bytes);
    }

    expect(ballots.length).toBeGreaterThan(2);
    for (const [what, entries] of Map.groupBy(noted, ([what]) => what))
      expect([what, new Set(entries.map(([, bytes]) => bytes)).size]).toEqual([what, 1]);
  });
});

test('without script what the first form sends is mostly a filling of random length, and the page does not show it', async () => {
  await using service = await testApp();
  const settings = { poll_response_type: 'multiple', hide_results_until_close: true };
  const { id, ids } = await addPoll(service, NAMES, { settings });
  const paper = await addPaper(service, [
    motion('Fee'),
    { title: 'Day', ballot_type: 'POLL', options: NAMES, settings },
  ]);
  const { questions } = (await service.get(`/p/${paper.id}`)).json();
  const [fee, day] = questions;
  const chosen = (name: string, all: string[]): Fields => all.map((one) => [name, one]);
  const forms: [path: string, codes: string[], most: Fields][] = [
    [`/e/${id}/vote/poll`, await addTokens(service, id, 5), chosen('selected_options', Object.values(ids))],
    [
      `/p/${paper.id}/vote`,
      await addCodes(service, paper.id, 5),
      [
        [`${fee.id}.choice`, 'abstain'],
        ...chosen(
          `${day.id}.selected_options`,
          day.options.map((option: { id: string }) => option.id),
        ),
      ],
    ],
  ];

  for (const [path, [code], most] of forms) {
    const differs = String(new URLSearchParams(most)).length;
    const pages = await Promise.all(
      Array.from({ length: 40 }, async () => (await page(service, `${path}?t=${code}`)).body),
    );
    const random = pages.map((body) => /name="filling" value="(\.*)"/.exec(body)![1]!.length);

    expect(new Set(pages.map((body) => Buffer.byteLength(body))).size).toBe(1);
    // Of 40 even draws up to 16 times the difference, some are far above 4 times it, and hardly any are equal.
    expect(Math.max(...random)).toBeGreaterThan(4 * differs);
    expect(Math.min(...random)).toBeLessThan(12 * differs);
    expect(new Set(random).size).toBeGreaterThan(20);
  }
});
