import type { Act } from '../acts.ts';
import { checkResult } from '../checks.ts';
import { expectedVoters } from '../expected.ts';
import type { Marks } from '../house.ts';
import {
  ensure,
  isRepresented,
  openQuestions,
  type Person,
  type Question,
  someone,
  votesOn,
  type World,
} from '../world.ts';
import { everybodyVotes } from './voting.ts';

const AT_ONCE = 2;

const inState = (world: World, ...states: Question['state'][]): Question | undefined =>
  world.random.pick(world.questions.filter(({ state }) => states.includes(state)));

/** Those who have a card as far as the door knows. */
const holders = (world: World): Person[] =>
  world.people.filter((person) => person.counts || isRepresented(world, person));

/**
 * A card that was given back and not scanned may be in a pocket still: anybody of its class who gave one back, or whose
 * proxy did, can have it.
 */
const inDoubt = (world: World): Person[] =>
  world.people.filter(
    (person) =>
      (world.givenBack[person.class] ?? 0) > (world.scanned[person.class] ?? 0) &&
      (person.hasGivenBack ||
        world.proxies.some(({ giver, holder }) => giver === person && holder.hasGivenBack)),
  );

async function opens(world: World): Promise<string | undefined> {
  const question = inState(world, 'prepared');
  if (!question || openQuestions(world).length >= AT_ONCE) return undefined;
  let { status, body } = await world.house.act(question.item, 'open');
  if (status === 409 && body.needs?.includes('present')) {
    const present = holders(world).length;
    ensure(
      present === 0 || world.kept !== undefined,
      `${question.name} asks how many are present, and the door knows`,
    );
    ({ status, body } = await world.house.act(question.item, 'open', { present }));
    question.isExact &&= world.kept === undefined;
  }
  ensure(status === 200, `${question.name} is not opened: ${status} ${JSON.stringify(body)}`);
  question.state = 'open';
  world.hasBegun = true;
  question.had = new Set([...holders(world), ...inDoubt(world)]);
  question.isTouched = false;
  return `${question.name} is opened${question.classes ? ` (${question.classes.join()})` : ''}`;
}

async function takesBack(world: World): Promise<string | undefined> {
  const question = inState(world, 'open');
  if (!question) return undefined;
  const { status, body } = await world.house.act(question.item, 'take-back');
  const isUntouched = question.votes.length === 0 && question.papers.length === 0 && !question.isTouched;
  if (status !== 200) {
    ensure(!isUntouched, `the opening of ${question.name} cannot be taken back: ${JSON.stringify(body)}`);
    return `the opening of ${question.name} is not taken back`;
  }
  ensure(question.votes.length + question.papers.length === 0, `${question.name} is taken back with ballots`);
  question.state = 'prepared';
  return `the opening of ${question.name} is taken back`;
}

async function closes(world: World): Promise<string | undefined> {
  const question = inState(world, 'open');
  if (!question) return undefined;
  const all = world.random.chance(0.3);
  if (all) await everybodyVotes(world, question);
  await close(world, question);
  return `${question.name} is closed${all ? ' after everybody has voted' : ''}`;
}

export async function close(world: World, question: Question): Promise<void> {
  const { status, body } = await world.house.act(question.item, 'close');
  ensure(status === 200, `${question.name} is not closed: ${status} ${JSON.stringify(body)}`);
  question.state = 'closed';
  question.atClose = expectedVoters(world, question);
  // What lies at the door unscanned, or is known to a door without network alone, is not in its figures.
  question.isExact &&= world.isExact && world.basket.length === 0 && world.mistake === undefined;
  question.isAlarming ||=
    !world.isCalm || world.mistake !== undefined || (world.hasStray && world.basket.length > 0);
  question.isLate = world.kept !== undefined;
}

async function declares(world: World): Promise<string | undefined> {
  const question = inState(world, 'closed');
  if (!question) return undefined;
  return declare(world, question);
}

export async function declare(world: World, question: Question): Promise<string> {
  if (world.kept) {
    question.isExact = false;
    question.isAlarming = true;
  }
  if (question.papers.length > 0) await countPapers(world, question);
  let { status, body } = await world.house.act(question.item, 'declare');
  const isNoted = status === 409;
  if (isNoted) {
    const { needs } = body;
    ensure(
      needs?.includes('votes') || needs?.includes('papers'),
      `${question.name}: ${JSON.stringify(body)}`,
    );
    ensure(question.isAlarming || !world.isCalm, `${question.name} asks for a note, and all were honest`);
    ({ status, body } = await world.house.act(question.item, 'declare', { note: 'Looked at' }));
  }
  const { alarm, voters } = body.item ?? {};
  ensure(
    isNoted || alarm === undefined,
    `${question.name}: more votes than ${voters?.total}, and no note is asked for`,
  );
  ensure(status === 200, `${question.name} is not announced: ${status} ${JSON.stringify(body)}`);
  question.state = 'declared';
  checkResult(question, body.item);
  return `${question.name} is announced${isNoted ? ' with a note' : ''}`;
}

/** Two tellers count the papers of the box, in one batch or two. */
async function countPapers(world: World, question: Question): Promise<void> {
  const inBox = question.papers.filter(({ isInBox }) => isInBox).length;
  const marks: Marks = Array.from(
    { length: inBox },
    () => world.random.pick(['yes', 'no', 'blank'] as const)!,
  );
  const cut = world.random.chance(0.3) ? world.random.below(inBox + 1) : inBox;
  for (const part of [marks.slice(0, cut), marks.slice(cut)]) {
    if (part.length === 0) continue;
    const { status, body } = await world.house.countPapers(question.item, part);
    ensure(status === 200, `papers of ${question.name} do not join: ${status} ${JSON.stringify(body)}`);
    question.counted += part.length;
  }
  const { status, body } = await world.house.fillSheet(question.item, inBox);
  ensure(status === 200, `the sheet of ${question.name} is not filled in: ${status} ${JSON.stringify(body)}`);
}

async function voids(world: World): Promise<string | undefined> {
  const question = inState(world, 'open');
  if (!question) return undefined;
  const { status, body } = await world.house.act(question.item, 'void', { reason: 'A mistake' });
  ensure(status === 200, `${question.name} is not made void: ${status} ${JSON.stringify(body)}`);
  question.state = 'void';
  return `${question.name} is made void`;
}

/** Whoever is in the room raises a hand, and one for each person that they represent. */
async function countsHands(world: World): Promise<string | undefined> {
  const question = inState(world, 'prepared');
  if (!question || world.mistake || world.kept) return undefined;
  const raised = world.people
    .filter(({ where }) => where === 'room')
    .flatMap(({ pocket }) =>
      pocket.filter(({ isDead, of, class: own }) => !isDead && of && votesOn(question, own)),
    )
    .filter(() => world.random.chance(0.8)).length;
  const yes = world.random.below(raised + 1);
  const numbers = { yes, no: raised - yes, abstain: 0, invalid: 0 };
  let { status, body } = await world.house.act(question.item, 'hands', numbers);
  const more: { elsewhere?: true; present?: number } = {};
  for (let tries = 0; status === 409 && tries < 2; tries++) {
    if (body.needs?.includes('elsewhere')) more.elsewhere = true;
    if (body.needs?.includes('present')) {
      ensure(holders(world).length === 0, `${question.name} asks how many are present, and the door knows`);
      more.present = raised;
    }
    ({ status, body } = await world.house.act(question.item, 'hands', { ...numbers, ...more }));
  }
  ensure(status === 200, `hands on ${question.name} are not counted: ${status} ${JSON.stringify(body)}`);
  question.state = 'closed';
  question.hands = raised;
  question.isExact = world.isExact && more.present === undefined && world.basket.length === 0;
  question.isAlarming = !world.isCalm;
  question.atClose = expectedVoters(world, question);
  return `${raised} hands are counted on ${question.name}`;
}

/** Somebody asks for a paper, and puts it in the box or not. */
async function takesPaper(world: World): Promise<string | undefined> {
  const question = inState(world, 'open');
  const person = someone(
    world,
    world.people.filter(({ where, pocket }) => where === 'room' && pocket.length > 0),
  );
  if (!question || !person) return undefined;
  const card = world.random.pick(person.pocket)!;
  const { status, body } = await world.house.act(question.item, 'paper', { code: card.code });
  const may = !card.isDead && !card.answered.has(question) && votesOn(question, card.class);
  ensure((status === 200) === may, `a paper is answered ${status} ${JSON.stringify(body)}, may: ${may}`);
  if (!may) return `${person.name} gets no paper for ${question.name}`;
  card.answered.add(question);
  question.papers.push({ of: card.of ?? person, isInBox: world.random.chance(0.8) });
  return `${person.name} gets a paper for ${question.name}`;
}

/** What is fixed while a question is open. */
async function changesMeeting(world: World): Promise<string | undefined> {
  const quorum = (world.settings.quorum ?? 0) + 1;
  const { status } = await world.house.change({ quorum, quorum_share: null });
  const isOpen = openQuestions(world).length > 0;
  ensure(status === (isOpen ? 409 : 200), `the quorum is changed: ${status}`);
  if (!isOpen) world.settings.quorum = quorum;
  return `the quorum becomes ${quorum}: ${status}`;
}

/** Members elsewhere are told to come. */
async function endsLinks(world: World): Promise<string | undefined> {
  if (!world.settings.remote || openQuestions(world).length > 0) return undefined;
  const { status, body } = await world.house.change({ remote: false });
  ensure(status === 200, `links do not end: ${status} ${JSON.stringify(body)}`);
  world.settings.remote = false;
  for (const { link } of world.people) if (link) link.isDead = true;
  return 'links end';
}

export const CHAIR: Act[] = [
  { weight: 9, run: opens },
  { weight: 1, run: takesBack },
  { weight: 5, run: closes },
  { weight: 4, run: declares },
  { weight: 0.6, run: voids },
  { weight: 1, run: countsHands },
  { weight: 3, run: takesPaper },
  { weight: 0.5, run: changesMeeting },
  { weight: 0.2, run: endsLinks },
];
