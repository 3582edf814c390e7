// Creates elections of every type in every state, with the texts of the club; one has thousands of ballots.
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { randomFrom } from '#test/stand-ins/plays.ts';
import { handlingOf } from '#voting/ballots/ballot-types.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { openPaper } from './ballot-paper.ts';
import type { DemoClub, ElectionKey, ElectionWords } from './clubs/club.ts';
import { drawPortrait } from './drawings.ts';
import type { Service } from './service.ts';

interface Shape {
  ballot_type: BallotType;
  settings: object;
  none_of_the_above?: true;
  /** In days from now. */
  opens: number;
  closes: number;
  /** Choices with their number: `yes`, or options as letters (`BA` is the second option before the first). */
  ballots?: readonly (readonly [times: number, choice: string])[];
  /** Number of codes that are generated and not used. */
  tokens?: number;
  /** Whether the election is closed once the ballots are cast. */
  over?: true;
}

const HIDDEN = { hide_results_until_close: true, publish_results_to_home: true };
const LIVE = { ...HIDDEN, hide_results_until_close: false };

const SHAPES: Record<ElectionKey, Shape> = {
  treasurer: {
    ballot_type: 'RANKED_CONDORCET',
    settings: { ...HIDDEN, receipts: 'content' },
    none_of_the_above: true,
    opens: -2,
    closes: 3,
  },
  budget: {
    ballot_type: 'SIMPLE_TRIPLE',
    settings: HIDDEN,
    opens: -4,
    closes: 6,
    tokens: 80,
    ballots: [
      [21, 'yes'],
      [9, 'no'],
    ],
  },
  trip: {
    ballot_type: 'POLL',
    settings: LIVE,
    opens: -1,
    closes: 9,
    tokens: 46,
    ballots: [
      [12, 'A'],
      [9, 'C'],
      [1, 'D'],
    ],
  },
  evenings: {
    ballot_type: 'POLL',
    settings: { ...HIDDEN, poll_response_type: 'multiple' },
    opens: -1,
    closes: 5,
    tokens: 40,
  },
  sundays: { ballot_type: 'SIMPLE_TRIPLE', settings: HIDDEN, opens: 1, closes: 4, tokens: 120 },
  steward: { ballot_type: 'RANKED_CONDORCET', settings: HIDDEN, opens: 2, closes: 9 },
  rooms: {
    ballot_type: 'RANKED_CONDORCET',
    settings: { ...HIDDEN, ranking: 'partial', receipts: 'content' },
    opens: -9,
    closes: 1,
    tokens: 6,
    over: true,
    ballots: [
      [5, 'A'],
      [4, 'BC'],
      [3, 'CBA'],
      [2, 'DB'],
      [1, 'ABCDE'],
    ],
  },
  dogs: {
    ballot_type: 'SIMPLE_TRIPLE',
    settings: { ...HIDDEN, receipts: 'included' },
    opens: -7,
    closes: 1,
    tokens: 19,
    over: true,
    ballots: [
      [31, 'yes'],
      [12, 'no'],
    ],
  },
  dinner: {
    ballot_type: 'POLL',
    settings: HIDDEN,
    opens: -6,
    closes: 1,
    tokens: 11,
    over: true,
    ballots: [
      [8, 'A'],
      [8, 'B'],
      [1, 'C'],
    ],
  },
  guests: {
    ballot_type: 'SIMPLE_TRIPLE',
    settings: { ...HIDDEN, publish_results_to_home: false, quorum: 40 },
    opens: -5,
    closes: 1,
    tokens: 62,
    over: true,
    ballots: [
      [9, 'yes'],
      [1, 'abstain'],
    ],
  },
  president: {
    ballot_type: 'RANKED_CONDORCET',
    settings: { ...HIDDEN, receipts: 'content' },
    opens: -10,
    closes: 1,
    tokens: 512,
    over: true,
  },
  committee: {
    ballot_type: 'RANKED_STV',
    settings: { ...HIDDEN, seats: 3, receipts: 'content' },
    opens: -8,
    closes: 1,
    tokens: 21,
    over: true,
    ballots: [
      [13, 'ADB'],
      [9, 'BEA'],
      [7, 'CFD'],
      [5, 'DA'],
      [4, 'EBC'],
      [3, 'FC'],
    ],
  },
  trustees: {
    ballot_type: 'YES_NO_EACH',
    settings: HIDDEN,
    opens: -8,
    closes: 1,
    tokens: 9,
    over: true,
    ballots: [
      [18, 'ABC'],
      [11, 'ABD'],
      [6, 'C'],
    ],
  },
};

/** Number of voters in the big election. */
export const VOTERS = 2_400;
/** Factors of the options' popularity: above 1 for the front runners. */
const LIKED = [1.35, 1.2, 1.25, 0.8, 0.7];
const TOKENS_AT_ONCE = 1_000;
const BALLOTS_AT_ONCE = 200;

export interface Held {
  /** The path of a ballot that has not been cast. */
  ballot: string;
  /** The same of a ballot paper of four questions. */
  paper: string;
  /** The id of the election with thousands of ballots. */
  big: string;
  /** The inclusion code of one of those ballots. */
  receipt: string;
}

/** Creates all elections. @returns among others an unused ballot of the open election with candidate pictures */
export async function holdElections(service: Service, club: DemoClub, voters = VOTERS): Promise<Held> {
  const now = service.ctx.now();
  const made = new Map<ElectionKey, string>();
  let receipt = '';
  for (const [key, shape] of Object.entries(SHAPES) as [ElectionKey, Shape][]) {
    const words = club.elections[key];
    const { id, options } = await create(service, shape, words, now);
    made.set(key, id);
    for (const [index, text] of words.about?.entries() ?? [])
      await service.upload(`/admin/elections/${id}/candidates/${options[index]}`, {
        bytes: await drawPortrait(index + 4, 480),
        fields: { text },
      });
    if (shape.tokens) await service.post(`/admin/elections/${id}/tokens`, { count: shape.tokens });
    const answers =
      key === 'president'
        ? opinions(options, voters)
        : (shape.ballots ?? []).flatMap(spelled(shape, options));
    const codes = await cast(service, id, shape, answers);
    if (key === 'president') receipt = codes[codes.length >> 1] ?? '';
    if (shape.over) await service.post(`/admin/elections/${id}/close`);
  }
  await countPaper(service, club);
  const idOf = (key: ElectionKey) => made.get(key) ?? '';
  await service.post(`/admin/elections/${idOf('treasurer')}/invite`, { roll: { groups: [club.group] } });
  await service.post(`/admin/elections/${idOf('president')}/results-email`, {
    emails: club.people.slice(0, 2).map(addressOf),
  });
  const { tokens } = await service.post(`/admin/elections/${idOf('treasurer')}/tokens`, { count: 1 });
  const paper = await openPaper(service, club);
  return { ballot: `/e/${idOf('treasurer')}/vote?t=${tokens[0]}`, paper, big: idOf('president'), receipt };
}

/** Returns the mail address of a person of the demo. */
export const addressOf = (name: string): string =>
  `${name.split(' ')[0]?.toLowerCase().replace('ö', 'oe').normalize('NFD').replace(/\p{M}/gu, '')}@club.example`;

/** Creates an election. @returns its id and the ids of its options */
async function create(service: Service, shape: Shape, words: ElectionWords, now: number) {
  const { ballot_type, settings, opens, closes, none_of_the_above } = shape;
  const { title, description, attachment_url, options = [] } = words;
  const kind = rulesOf(ballot_type).options?.kind;
  const list = kind ? `${kind}s` : '';
  // Voting opens and closes on the full hour, as in a real club.
  const at = (days: number) => isoTime(now + days * DAY - (now % HOUR));
  const { id } = await service.post('/admin/elections', {
    title,
    ballot_type,
    settings,
    open_at: at(opens),
    close_at: at(closes),
    ...(description && { description }),
    ...(attachment_url && { attachment_url }),
    ...(options.length > 0 && { [list]: options }),
    ...(none_of_the_above && { none_of_the_above }),
  });
  const { election } = await service.get(`/e/${id}`);
  const ids = (election[list] ?? []).map((option: { id: string }) => option.id) as string[];
  return { id: id as string, options: ids };
}

type Answer = (choice: string, chosen: readonly (string | undefined)[], all: readonly string[]) => object;

const ANSWERS: Record<BallotType, Answer> = {
  SIMPLE_TRIPLE: (choice) => ({ choice }),
  POLL: (_choice, [option]) => ({ selected_option: option }),
  RANKED_CONDORCET: (_choice, ranking) => ({ ranking }),
  RANKED_STV: (_choice, ranking) => ({ ranking }),
  // Those who are not named get a No.
  YES_NO_EACH: (_choice, named, all) => ({
    answers: Object.fromEntries(all.map((id) => [id, named.includes(id) ? 'yes' : 'no'])),
  }),
};

const spelled =
  ({ ballot_type }: Shape, ids: readonly string[]) =>
  ([times, choice]: readonly [number, string]): object[] => {
    const chosen = [...choice].map((letter) => ids['ABCDEFGH'.indexOf(letter)]);
    return Array.from({ length: times }, () => ANSWERS[ballot_type](choice, chosen, ids));
  };

/** Returns random rankings in which the front runners are ranked higher a little more often. */
export function opinions(ids: readonly string[], voters: number): object[] {
  const dice = randomFrom(7);
  return Array.from({ length: voters }, () => {
    const liked = ids.map((id, index) => ({ id, liking: dice() * (LIKED[index] ?? 1) }));
    return { ranking: liked.sort((a, b) => b.liking - a.liking).map(({ id }) => id) };
  });
}

/** Casts ballots, each from its own IP address. @returns the inclusion codes shown to the voters */
async function cast(service: Service, id: string, shape: Shape, answers: object[]): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < answers.length) {
    const count = Math.min(TOKENS_AT_ONCE, answers.length - tokens.length);
    tokens.push(...(await service.post(`/admin/elections/${id}/tokens`, { count })).tokens);
  }
  const url = `/e/${id}/${handlingOf(shape.ballot_type).route}`;
  const codes: string[] = [];
  for (let at = 0; at < answers.length; at += BALLOTS_AT_ONCE) {
    const some = answers.slice(at, at + BALLOTS_AT_ONCE).map((answer, index) => {
      const from = { 'edge-connecting-ip': `10.1.${(at + index) >> 8}.${(at + index) & 255}` };
      return service.post(url, { token: tokens[at + index], ...answer }, from);
    });
    for (const { inclusion_code } of await Promise.all(some)) codes.push(inclusion_code);
  }
  return codes;
}

async function countPaper(service: Service, { paper }: DemoClub): Promise<void> {
  const { title, contests, ...certified } = paper;
  const now = service.ctx.now();
  const { id } = await service.post('/admin/elections', {
    title,
    ballot_type: 'SIMPLE_TRIPLE',
    settings: HIDDEN,
    open_at: isoTime(now - 3 * DAY),
    close_at: isoTime(now + HOUR),
  });
  await service.put(`/admin/elections/${id}/manual-results`, {
    ...certified,
    certified_at: isoTime(now - DAY),
    results: { contests },
  });
  await service.post(`/admin/elections/${id}/close`);
}
