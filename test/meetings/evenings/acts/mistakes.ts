import type { Act } from '../acts.ts';
import { reasonToWait } from '../expected.ts';
import { ensure, newPress, openQuestions, type Person, someone, type World } from '../world.ts';
import { dueTo, endLink, handOut, isFree, scan } from './handing-out.ts';
import { isOffline } from './offline.ts';

/** Somebody who would get a card of their own, and nothing else, if they were tapped. */
const isPlain = (world: World, person: Person): boolean =>
  isFree(world, person) &&
  !isOffline(world, person) &&
  person.pressed !== 'in' &&
  !person.counts &&
  person.pocket.length === 0 &&
  !world.proxies.some(({ giver, holder }) => giver === person || holder === person) &&
  reasonToWait(world, person) === undefined;

const plain = (world: World): Person[] => world.people.filter((person) => isPlain(world, person));

/** Somebody who was never in comes, and the name of another one is tapped. */
async function tapsWrongName(world: World): Promise<string | undefined> {
  if (world.mistake) return undefined;
  const person = someone(
    world,
    plain(world).filter(({ link }) => !link || link.isDead),
  );
  const others = plain(world).filter((one) => one !== person && one.pressed === 'absent' && !one.link);
  const other = someone(
    world,
    others.filter((one) => one.class === person?.class),
  );
  if (!person || !other) return undefined;
  const due = dueTo(world, person);
  const press = newPress(world);
  const before = person.pressed;
  const { status, body } = await world.house.door({ person_id: person.id, action: 'in', press });
  ensure(status === 200, `${person.name} is not let in: ${status} ${JSON.stringify(body)}`);
  const had = openQuestions(world).filter((question) => question.had.has(person));
  await handOut(world, person, { body, due, to: other });
  person.pressed = 'in';
  other.where = 'room';
  world.mistake = { person, other, press, before, had };
  return `${other.name} comes, and ${person.name} is tapped`;
}

/** "It was somebody else." */
async function movesCheckIn(world: World): Promise<string | undefined> {
  if (!world.mistake) return undefined;
  const { person, other, press: undoes, before, had } = world.mistake;
  const press = newPress(world);
  const sent = { person_id: person.id, action: 'undo', undoes, for: other.id, press } as const;
  const { status, body } = await world.house.door(sent);
  ensure(status === 200, `the check-in does not move: ${status} ${JSON.stringify(body)}`);
  person.counts = false;
  person.pressed = before;
  other.counts = true;
  other.pressed = 'in';
  other.press = press;
  for (const question of openQuestions(world)) {
    if (!had.includes(question)) question.had.delete(person);
    question.had.add(other);
  }
  world.mistake = undefined;
  return `it was ${other.name}, and not ${person.name}`;
}

/** "The card is back: scan it." */
async function takesCardBack(world: World): Promise<string | undefined> {
  if (!world.mistake) return undefined;
  const { person, other, press: undoes, before, had } = world.mistake;
  const [card] = other.pocket;
  if (!card) return undefined;
  const isFirst = world.random.chance(0.5);
  if (isFirst) await scan(world, [card]);
  else world.basket.push(card);
  other.pocket = [];
  other.where = 'home';
  const sent = {
    person_id: person.id,
    action: 'undo',
    undoes,
    gave_back: true,
    press: newPress(world),
  } as const;
  const { status, body } = await world.house.door(sent);
  ensure(status === 200, `the check-in is not taken back: ${status} ${JSON.stringify(body)}`);
  world.givenBack[card.class] = (world.givenBack[card.class] ?? 0) + 1;
  world.takenBack.push(card);
  person.counts = false;
  person.pressed = before;
  world.mistake = undefined;
  // The door does not know that it was theirs: the card alone says that it has answered.
  for (const question of openQuestions(world)) if (!had.includes(question)) question.had.delete(person);
  return `the card that ${other.name} got for ${person.name} is back (${isFirst ? 'scanned' : 'not scanned'})`;
}

/** "No card was handed out": a name was tapped, and nobody was there. */
async function tapsForNobody(world: World): Promise<string | undefined> {
  const person = someone(world, plain(world));
  if (!person || world.mistake) return undefined;
  const undoes = newPress(world);
  const came = await world.house.door({ person_id: person.id, action: 'in', press: undoes });
  ensure(came.status === 200, `${person.name} is not let in: ${came.status} ${JSON.stringify(came.body)}`);
  const press = newPress(world);
  const sent = { person_id: person.id, action: 'undo', undoes, gave_back: false, press } as const;
  const { status, body } = await world.house.door(sent);
  ensure(status === 200, `the tap is not taken back: ${status} ${JSON.stringify(body)}`);
  for (const question of openQuestions(world)) question.isTouched = true;
  // It is not given back: the door says that it has to be made again.
  if (came.body.link_ended) endLink(person);
  return `${person.name} is tapped, and nobody was there`;
}

export const MISTAKES: Act[] = [
  { weight: 1.5, run: tapsWrongName },
  { weight: 0.8, run: movesCheckIn },
  { weight: 0.8, run: takesCardBack },
  { weight: 0.8, run: tapsForNobody },
];

/** A mistake is noticed at the end of an evening at the latest. */
export const noticeMistake = movesCheckIn;
