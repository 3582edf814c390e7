// Sample elections of every type in every state.
import type { TestApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, castAll, send } from '#test/support/factories.ts';
import { multipart, smallPicture } from '#test/support/pictures.ts';

export const CANDIDATES = [
  'Ada Thornbury',
  'Bo Lindqvist',
  'Cyrus Okafor',
  'Dorothea van Rensselaer-Whitcombe',
  'Emeka Adeyemi',
  'Frances “Frankie” O’Dell',
];
const MORE_CANDIDATES = [
  ...['Gus Marten', 'Hilda Brandt', 'Ines Albrecht', 'Jo Pym'],
  ...['Karl Otto', 'Lena Ruiz', 'Max Stein', 'Nora Quist'],
];
const ROOMS = ['The library', 'The billiard room', 'The terrace room', 'The cellar', 'The kitchen'];
const LIVE = { hide_results_until_close: false, publish_results_to_home: true };
const HIDDEN = { hide_results_until_close: true, publish_results_to_home: true };
const BATCH = 'Hall, at the door';

export type SampleElections = Awaited<ReturnType<typeof addElections>>;

/** Creates the elections and returns their ids by name; `late` is an unused token of the election `chair`. */
export async function addElections(service: TestApp) {
  const running = await runningVotes(service);
  const decided = await decidedVotes(service);
  const draft = await addElection(service, {
    title: 'House steward for 2027',
    ballot_type: 'RANKED_CONDORCET',
    ...days(service, 2, 9),
  });
  const scheduled = await addElection(service, {
    title: 'Shall the bar close at midnight on Sundays?',
    settings: HIDDEN,
    ...days(service, 1, 3),
  });
  await addTokens(service, scheduled, 120, 'Mailed in November');
  const list = (await service.post('/admin/distribution-lists', { name: 'Wine committee' })).json().id;
  await service.post(`/admin/distribution-lists/${list}/emails`, {
    emails: ['ada@club.example', 'bo@club.example', 'cyrus.okafor@club.example'],
  });
  return { ...running, ...decided, draft, scheduled, list };
}

async function runningVotes(service: TestApp) {
  const budget = await addElection(service, {
    title: 'Shall the club adopt the budget for 2027?',
    description:
      'The treasurer asks for 48,200 dollars, 3.1 percent more than this year.\nMost of it is the new roof over the skittle alley.\n\nThe full figures are in the document below.',
    attachment_url: 'https://club.example/papers/budget-2027.pdf',
    settings: HIDDEN,
  });
  await addTokens(service, budget, 80, BATCH);
  await castAll(service, budget, [...times(21, { choice: 'yes' }), ...times(9, { choice: 'no' })]);

  const trip = await addPoll(
    service,
    ['Mystic Seaport by train', 'Hudson Valley, two wineries', 'Cape May', 'Stay at home'],
    {
      title: 'Where does the summer trip go?',
      settings: LIVE,
    },
  );
  const one = (name: string) => ({ selected_option: trip.ids[name] });
  await castAll(
    service,
    trip.id,
    [...times(12, one('Hudson Valley, two wineries')), ...times(9, one('Cape May')), one('Stay at home')],
    'vote/poll',
  );

  const evenings = await addPoll(service, ['Tuesday', 'Wednesday', 'Thursday', 'Sunday afternoon'], {
    title: 'Which evenings suit you for the quiz?',
    settings: { ...HIDDEN, poll_response_type: 'multiple' },
  });
  await addTokens(service, evenings.id, 40);

  const treasurer = await addRanked(service, [...CANDIDATES.slice(0, 5)], {
    title: 'Treasurer',
    description: 'Two years, from January.',
    none_of_the_above: true,
    settings: { ...HIDDEN, inclusion_codes: true },
  });
  const trustees = await addRanked(service, [...CANDIDATES, ...MORE_CANDIDATES], {
    title: 'Trustee of the library fund',
    description: 'One of these fourteen, for five years. Rank those whom you know.',
    settings: { ...HIDDEN, ranking: 'partial' },
  });
  const board = await addPoll(service, [...CANDIDATES], {
    title: 'The new board',
    ballot_type: 'YES_NO_EACH',
    settings: { ...HIDDEN, seats: 3, max_yes: 3, allow_blank: true },
  });
  for (const [id, list, option] of [
    [evenings.id, 'options', Object.values(evenings.ids)[0]],
    [board.id, 'options', Object.values(board.ids)[0]],
    [treasurer.id, 'candidates', treasurer.ids[CANDIDATES[0] ?? '']],
  ])
    await addAbout(service, `/admin/elections/${id}/${list}/${option}`);
  const unready = await addElection(service, {
    title: 'Portrait for the stairs',
    ballot_type: 'RANKED_CONDORCET',
  });
  return {
    budget,
    trip: trip.id,
    evenings: evenings.id,
    treasurer: treasurer.id,
    trustees: trustees.id,
    board: board.id,
    unready,
  };
}

/** Adds a text and a picture to a candidate or an option. */
async function addAbout(service: TestApp, url: string): Promise<void> {
  const { payload, headers } = await multipart(
    { text: 'Kept the books of the bowls team for nine years.\nLikes receipts.' },
    { picture: { bytes: await smallPicture() } },
  );
  const added = await service.request({
    method: 'POST',
    url,
    payload,
    headers: { accept: 'text/html', ...headers },
  });
  if (added.statusCode !== 303) throw new Error(`The picture was refused: ${added.body}`);
}

async function decidedVotes(service: TestApp) {
  const chair = await addRanked(service, CANDIDATES, {
    title: 'Chair of the wine committee',
    settings: { ...HIDDEN, publish_ballots: true },
  });
  await castAll(
    service,
    chair.id,
    [...times(15, 'ABCDEF'), ...times(14, 'BCADFE'), ...times(13, 'CABEDF'), 'DABCEF'].map((order) => ({
      ranking: [...order].map((letter) => chair.ids[CANDIDATES['ABCDEF'.indexOf(letter)] ?? '']),
    })),
  );
  const [late = ''] = await addTokens(service, chair.id, 17, 'Mailed in November');

  const dogs = await addElection(service, {
    title: 'Shall dogs be let into the bar?',
    settings: { ...HIDDEN, inclusion_codes: true },
  });
  await castAll(service, dogs, [...times(31, { choice: 'yes' }), ...times(12, { choice: 'no' })]);

  const tie = await addRanked(service, ['Harbour view', 'The founders at table'], {
    title: 'Picture over the fireplace',
    settings: HIDDEN,
  });
  const { 'Harbour view': one = '', 'The founders at table': other = '' } = tie.ids;
  await castAll(service, tie.id, [{ ranking: [one, other] }, { ranking: [other, one] }]);

  const rooms = await addRanked(service, ROOMS, {
    title: 'Which room is painted first?',
    settings: { ...HIDDEN, ranking: 'partial', receipts: 'content' },
  });
  await castAll(
    service,
    rooms.id,
    [...times(5, [0]), ...times(4, [1, 2]), ...times(3, [2, 1, 0]), ...times(2, [3, 1]), [0, 1, 2, 3, 4]].map(
      (order) => ({ ranking: order.map((at) => rooms.ids[ROOMS[at] ?? '']) }),
    ),
  );

  const discharge = await addPoll(service, [...CANDIDATES], {
    title: 'Discharge of the board',
    ballot_type: 'YES_NO_EACH',
    settings: HIDDEN,
  });
  const said = (answers: string) => ({
    answers: Object.fromEntries(
      Object.values(discharge.ids).map((one, at) => [one, answers[at] === 'y' ? 'yes' : 'no']),
    ),
  });
  await castAll(service, discharge.id, [...times(8, said('yyyyny')), ...times(5, said('nyyyny'))]);

  const committee = await addPoll(service, [...CANDIDATES], {
    title: 'Three for the wine committee',
    settings: { ...HIDDEN, poll_response_type: 'multiple', seats: 3 },
  });
  const chosen = (letters: string) => ({
    selected_options: [...letters].map((one) => committee.ids[CANDIDATES['ABCDEF'.indexOf(one)] ?? '']),
  });
  await castAll(
    service,
    committee.id,
    [...times(6, chosen('ABC')), ...times(3, chosen('AB')), ...times(6, chosen('D'))],
    'vote/poll',
  );

  const quorum = await addElection(service, {
    title: 'Shall the rules on guests change?',
    settings: { ...HIDDEN, publish_results_to_home: false, quorum: 40 },
  });
  await castAll(service, quorum, [...times(9, { choice: 'yes' }), { choice: 'abstain' }]);

  const menu = await addPoll(service, ['Roast goose', 'Nut roast', 'Oysters'], {
    title: 'Main course at the founders’ dinner',
    settings: HIDDEN,
  });
  await castAll(
    service,
    menu.id,
    [...times(8, 'Roast goose'), ...times(8, 'Nut roast'), 'Oysters'].map((name) => ({
      selected_option: menu.ids[name],
    })),
    'vote/poll',
  );

  const counted = await addRanked(service, CANDIDATES, {
    title: 'The board for 2027',
    ballot_type: 'RANKED_STV',
    settings: { ...HIDDEN, seats: 3 },
  });
  const seats = await addRanked(service, CANDIDATES.slice(0, 4), {
    title: 'Two auditors',
    ballot_type: 'RANKED_STV',
    settings: { ...HIDDEN, seats: 2, lot: 'drawn' },
  });
  for (const { id, ids } of [counted, seats])
    await castAll(
      service,
      id,
      [...times(9, 'AB'), ...times(5, 'BA'), ...times(2, 'C'), ...times(2, 'DC')].map((order) => ({
        ranking: [...order].map((letter) => ids[CANDIDATES['ABCD'.indexOf(letter)] ?? '']),
      })),
    );

  const paper = await addElection(service, { title: 'Annual meeting, counted on paper', settings: HIDDEN });
  await send(service, 'PUT', `/admin/elections/${paper}/manual-results`, paperCount);
  const silent = await addElection(service, { title: 'Shall there be a second piano?' });

  const closed = {
    chair: chair.id,
    dogs,
    tie: tie.id,
    rooms: rooms.id,
    quorum,
    menu: menu.id,
    discharge: discharge.id,
    committee: committee.id,
    counted: counted.id,
    seats: seats.id,
    paper,
    silent,
  };
  for (const id of Object.values(closed)) await service.post(`/admin/elections/${id}/close`);
  return { ...closed, late };
}

const paperCount = {
  certified_at: '2026-11-20T21:30',
  certified_by: 'Ines Albrecht and Tom Varga, tellers',
  notes: 'Counted twice in the library.\n\nOne ballot was blank.',
  results: {
    contests: [
      {
        label: 'President',
        items: [
          { label: 'Josephine Marlowe', votes: 61 },
          { label: 'Arthur Pym', votes: 38 },
        ],
      },
      {
        label: 'Accounts of 2025',
        items: [
          { label: 'Accepted', votes: 97 },
          { label: 'Refused', votes: 2 },
        ],
      },
    ],
  },
};

function times<Answer>(count: number, answer: Answer): Answer[] {
  return Array.from({ length: count }, () => answer);
}

/** Opening and closing times some days from now. */
function days(service: TestApp, opens: number, closes: number) {
  const at = (count: number) => new Date(service.clock.now + count * 86_400_000).toISOString();
  return { open_at: at(opens), close_at: at(closes) };
}
