import type { Act } from '../acts.ts';
import { mayVote } from '../checks.ts';
import { reasonToWait } from '../expected.ts';
import {
  type Card,
  countPile,
  ensure,
  type Link,
  openQuestions,
  type Person,
  type Question,
  someone,
  votesOn,
  type World,
} from '../world.ts';
import { noteSurplus } from './handing-out.ts';

/** Any question and any card of a pocket: dead, used, of another class, or right. */
async function votesWithCard(world: World): Promise<string | undefined> {
  const { random } = world;
  const person = someone(
    world,
    world.people.filter(({ pocket }) => pocket.length > 0),
  );
  const question = random.pick(openQuestions(world));
  if (!person || !question) return undefined;
  const card = random.pick(person.pocket)!;
  // Whose phone it is makes no difference: a phone keeps the card that it was given last.
  const isOnPhone = random.chance(0.06);
  const may = canAnswer(question, card, card.class);
  if (isOnPhone) {
    const shows = await world.house.showsBallot(card.code);
    if (may) ensure(shows, `a phone with the card of ${card.of?.name} shows no ballot for ${question.name}`);
  }
  const is = await cast(world, question, card, may);
  if (is) question.votes.push(card.of ?? person);
  return `${person.name} votes on ${question.name} with the card of ${card.of?.name}: ${is}`;
}

const canAnswer = (question: Question, code: Card | Link, own: string): boolean =>
  question.state === 'open' && !code.isDead && !code.answered.has(question) && votesOn(question, own);

/** @returns whether it was stored @throws Fault if that is not as it has to be */
async function cast(world: World, question: Question, code: Card | Link, may: boolean): Promise<boolean> {
  const { status, body } = await world.house.cast(code.code, question);
  ensure(
    (status === 200) === may,
    `a vote on ${question.name} is answered ${status} ${JSON.stringify(body)}, may: ${may}`,
  );
  if (may) code.answered.add(question);
  return may;
}

async function votesWithLink(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    world.people.filter(({ link }) => link !== undefined),
  );
  const question = world.random.pick(openQuestions(world));
  if (!person?.link || !question) return undefined;
  const is = await cast(world, question, person.link, canAnswer(question, person.link, person.class));
  if (is) {
    question.votes.push(person);
    arriveElsewhere(world, person.link);
  }
  return `${person.name} votes on ${question.name} with the link: ${is}`;
}

function arriveElsewhere(world: World, link: Link): void {
  if (!link.isHere) for (const question of openQuestions(world)) question.isTouched = true;
  link.isHere = true;
}

async function isElsewhere(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    world.people.filter(({ link }) => link !== undefined),
  );
  if (!person?.link) return undefined;
  const { status } = await world.house.here(person.link.code);
  const isHeld = world.hasBegun || world.questions.some(({ state }) => state !== 'prepared');
  ensure(person.link.isDead || !isHeld || status === 200, `${person.name} is not here: ${status}`);
  if (person.link.isDead || !isHeld || status !== 200) return `${person.name} opens a link that does nothing`;
  arriveElsewhere(world, person.link);
  return `${person.name} is here elsewhere`;
}

async function isInvited(world: World): Promise<string | undefined> {
  const person = someone(world, world.people);
  if (world.questions.every(({ state }) => state !== 'prepared' && state !== 'open')) return undefined;
  // A door without network may have handed a card to whoever is invited now.
  if (!person || !world.settings.remote || world.kept || world.mistake) return undefined;
  const { code, body } = await world.house.invite(person);
  const isElsewhere = person.pressed === 'absent' && person.where === 'home' && !person.link;
  const isFree =
    isElsewhere &&
    !world.proxies.some(({ giver }) => giver === person) &&
    reasonToWait(world, person) === undefined;
  ensure(code !== undefined || !isFree, `${person.name} gets no link: ${JSON.stringify(body)}`);
  if (code === undefined || code === person.link?.code) return `${person.name} gets no other link`;
  giveLink(world, person, code);
  return `${person.name} gets a link`;
}

function giveLink(world: World, person: Person, code: string, isHere = false): void {
  noteSurplus(world, person);
  if (person.link) person.link.isDead = true;
  person.link = { code, isDead: false, isHere, answered: new Set() };
}

/** A link is lost, and another one takes its place, also of a link that ended. */
async function linkIsReplaced(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    world.people.filter(({ link }) => link !== undefined),
  );
  if (!person?.link || world.kept || world.mistake) return undefined;
  const { link } = person;
  const { code, status, body } = await world.house.replaceLink(person);
  if (code === undefined)
    return `the link of ${person.name} is not replaced: ${status} ${JSON.stringify(body)}`;
  giveLink(world, person, code, link.isHere && !link.isDead);
  return `the link of ${person.name} is replaced`;
}

async function linkIsWithdrawn(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    world.people.filter(({ link }) => link && !link.isDead),
  );
  if (!person?.link) return undefined;
  const { status, body } = await world.house.withdraw(person);
  if (status !== 200) return `the link of ${person.name} stays: ${JSON.stringify(body)}`;
  person.link.isDead = true;
  return `the link of ${person.name} is withdrawn`;
}

/** A card of somebody who has left lies under a chair. */
async function losesCard(world: World): Promise<string | undefined> {
  const alive = world.people
    .flatMap(({ pocket }) => pocket)
    .filter(({ isDead, of }) => !isDead && of !== null);
  const card = world.random.pick(alive);
  const [person] = world.people.filter(({ pocket }) => card && pocket.includes(card));
  if (!card || !person || world.mistake?.other === person) return undefined;
  person.pocket = person.pocket.filter((one) => one !== card);
  world.lost.push({ card, by: person });
  return `${person.name} loses the card of ${card.of?.name}`;
}

async function voidsLostCard(world: World): Promise<string | undefined> {
  const found = world.random.pick(world.lost);
  if (!found) return undefined;
  ensure((await world.house.voidCard(found.card.stub)).status === 200, 'a lost card stays valid');
  if (!found.card.isDead) found.card.isVoid = true;
  found.card.isDead = true;
  return `${found.by.name} makes the lost card of ${found.card.of?.name} void`;
}

async function replacesLostCard(world: World): Promise<string | undefined> {
  const found = world.random.pick(world.lost.filter(({ by }) => by.where === 'room'));
  if (!found) return undefined;
  const { card, by } = found;
  const own = card.of!;
  const { status, body } = await world.house.replace(card.stub);
  const hasAnswered = openQuestions(world).some((question) => card.answered.has(question));
  if (status !== 200) {
    ensure(
      hasAnswered || countPile(world, card.class) === 0 || card.isOld || !isOut(world, own),
      `${by.name} gets nothing for a stub: ${status} ${JSON.stringify(body)}`,
    );
    return `${by.name} gets no other card for the lost one`;
  }
  ensure(body.cards[card.class] === 1, `a stub gives ${JSON.stringify(body.cards)}`);
  world.lost = world.lost.filter((one) => one !== found);
  card.isDead = true;
  card.isVoid = false;
  const other = world.pile[card.class]!.shift();
  ensure(other !== undefined, 'a card is handed out for a stub, and none is left');
  noteSurplus(world, own);
  other.of = own;
  by.pocket.push(other);
  return `${by.name} gets another card of ${own.name} for the stub`;
}

const isOut = (world: World, person: Person): boolean =>
  person.counts || world.proxies.some(({ giver, isUsed }) => giver === person && isUsed);

async function findsLostCard(world: World): Promise<string | undefined> {
  const found = world.random.pick(world.lost);
  if (!found) return undefined;
  world.lost = world.lost.filter((one) => one !== found);
  found.by.pocket.push(found.card);
  return `${found.by.name} finds the card of ${found.card.of?.name}`;
}

export const VOTING: Act[] = [
  { weight: 22, run: votesWithCard },
  { weight: 5, run: votesWithLink },
  { weight: 4, run: isElsewhere },
  { weight: 4, run: isInvited },
  { weight: 0.7, run: linkIsWithdrawn },
  { weight: 1, run: linkIsReplaced },
  { weight: 1.5, run: losesCard },
  { weight: 1, run: voidsLostCard },
  { weight: 2, run: replacesLostCard },
  { weight: 0.7, run: findsLostCard },
];

/** At the end of a question: whoever holds a card or link that may vote on it tries to. */
export async function everybodyVotes(world: World, question: Question): Promise<void> {
  for (const person of world.people) {
    for (const card of person.pocket)
      if (card.of && mayVote(question, card.of) && canAnswer(question, card, card.class))
        if (await cast(world, question, card, true)) question.votes.push(card.of);
    const { link } = person;
    if (link && mayVote(question, person) && canAnswer(question, link, person.class))
      if (await cast(world, question, link, true)) {
        question.votes.push(person);
        arriveElsewhere(world, link);
      }
  }
}
