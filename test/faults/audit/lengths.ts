// Somebody who sees only how many bytes a voter sends and gets, on the network or in the log of a proxy.
import { once } from 'node:events';
import net from 'node:net';
import type { Alone, Outcome } from '#test/faults/attacks/attack.ts';
import { shuffled } from '#voting/ballots/shown-order.ts';
import { Club } from './club.ts';

type Fields = [name: string, value: string][];

const NAMES = ['Jo', 'Anne-Sophie & Co', 'Łukasz Żółć', 'Dr. Theodora Papadopoulou'];
const VOTERS = 30;

/** How one voter of each kind of election chooses at random, as the ballot page sends it. */
const KINDS: Record<string, { fields: object; route: string; choose: (ids: string[]) => Fields }> = {
  'yes or no': {
    fields: {},
    route: 'vote',
    choose: () => [['choice', pick(['yes....', 'no.....', 'abstain'])]],
  },
  'one option': {
    fields: { ballot_type: 'POLL', options: NAMES },
    route: 'vote/poll',
    choose: (ids) => [['selected_option', pick(ids)]],
  },
  'several options': {
    fields: { ballot_type: 'POLL', options: NAMES, settings: { poll_response_type: 'multiple' } },
    route: 'vote/poll',
    choose: (ids) => some(ids).map((id) => ['selected_options', id]),
  },
  'complete rankings': {
    fields: { ballot_type: 'RANKED_CONDORCET', candidates: NAMES, settings: { receipts: 'content' } },
    route: 'vote',
    choose: (ids) => shuffled(ids).map((id, place) => [`rank_${id}`, String(place + 1)]),
  },
  'partial rankings': {
    fields: {
      ballot_type: 'RANKED_CONDORCET',
      candidates: NAMES,
      settings: { ranking: 'partial', randomize_order: true },
    },
    route: 'vote',
    choose: (ids) => some(ids).map((id, place) => [`rank_${id}`, String(place + 1)]),
  },
};

const pick = <Item>(items: readonly Item[]): Item => shuffled([...items])[0]!;
const some = (ids: string[]) => shuffled(ids).slice(0, pick(ids.map((_, index) => index + 1)));

/** Lets voters review, change and cast at random, and compares all sizes. */
async function weigh(): Promise<Outcome> {
  await using club = await Club.open();
  const told: string[] = [];
  for (const [kind, { fields, route, choose }] of Object.entries(KINDS)) {
    const id = await club.election(fields);
    const { candidates, options } = (await club.get(`/e/${id}`)).body.election;
    const ids = (candidates ?? options ?? []).map((option: { id: string }) => option.id);
    const [seen, unfilled] = [new Set<string>(), new Set<number>()];
    for (const token of await club.tokens(id, VOTERS)) {
      const secrets: Fields = [
        ['token', token],
        ['submission_id', crypto.randomUUID()],
      ];
      const review = await post(club, `/e/${id}/vote/review`, [...secrets, ...choose(ids)]);
      const [cast = [], edit = []] = formsIn(review.text);
      const change = await post(club, `/e/${id}/vote/review`, edit);
      const thanks = await post(club, `/e/${id}/${route}`, cast);
      if (!thanks.text.includes('has been recorded')) throw new Error(`${kind}: a ballot was refused`);
      const lines = [review.received, change.sent, change.received, thanks.sent, thanks.received];
      // The number of ticks or ranks is known from the first form; all others have one length.
      if (kind !== 'several options' && kind !== 'partial rankings') lines.push(review.sent);
      seen.add(String(lines));
      unfilled.add(review.text.replace(/<!--\.*-->|value="\.*"/g, '').length);
    }
    if (seen.size > 1) told.push(`${kind}: ${seen.size} different sizes`);
    // All complete rankings name the same candidates.
    if (unfilled.size < 2 && kind !== 'complete rankings')
      told.push(`${kind}: the attack itself sees nothing`);
  }
  return {
    saw: `${VOTERS} voters in each of ${Object.keys(KINDS).length} kinds of election, by the sizes of 3 requests and answers`,
    wrong: told,
  };
}

/** Posts a form as a browser without script. Counted is all that travels in each direction. */
async function post(club: Club, path: string, fields: Fields) {
  const body = String(new URLSearchParams(fields));
  const { hostname, port, host } = new URL(club.service.url);
  const socket = net.connect(Number(port), hostname);
  const head = [
    ...[`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Accept: text/html', 'Accept-Encoding: gzip, br'],
    ...['Connection: close', 'Content-Type: application/x-www-form-urlencoded'],
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(socket, 'close');
  // How many requests are left to this client has fewer digits for later voters, whatever they choose.
  const counted = text.replace(/^x-ratelimit-remaining: .*\r\n/im, '');
  return { sent: body.length, received: Buffer.byteLength(counted), text };
}

function formsIn(text: string): Fields[] {
  const forms = [...text.matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)];
  return forms.map(([, inside = '']) =>
    [...inside.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    ),
  );
}

export const lengths: Alone[] = [['somebody sees the sizes of all that voters send and get', weigh]];
