import type { Act } from '../acts.ts';
import { ensure, newPress, type Person, someone, type World } from '../world.ts';
import { noteGivenBack, owedBy, scan } from './handing-out.ts';

const inside = (world: World): Person[] =>
  world.people.filter(
    (person) =>
      person.where === 'room' &&
      person.pressed === 'in' &&
      world.mistake?.other !== person &&
      !world.kept?.some((one) => one.person === person),
  );

/** Keeps the cards, and says that they were given back: with empty hands, or with dead cards of the heap. */
async function saysGivenBack(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    inside(world).filter((one) => owedBy(world, one).length > 0),
  );
  if (!person) return undefined;
  const dead = world.random.chance(0.5) ? world.random.pick(world.heap) : undefined;
  if (dead) await scanDead(world, dead.code);
  const sent = { person_id: person.id, action: 'out', gave_back: true, press: newPress(world) } as const;
  ensure((await world.house.door(sent)).status === 200, `${person.name} cannot leave`);
  noteGivenBack(world, person);
  person.pressed = 'out';
  person.where = 'home';
  lie(world);
  return `${person.name} keeps the cards, and says that they were given back${dead ? ' (a dead one was)' : ''}`;
}

async function scanDead({ house }: World, code: string): Promise<void> {
  ensure((await house.scan([code])).body.returned === 0, 'a dead card is returned again');
}

function lie(world: World): void {
  world.isCalm = false;
  world.isExact = false;
}

/** Goes home with the card, past the door. */
async function leavesSilently(world: World): Promise<string | undefined> {
  const person = someone(world, inside(world));
  if (!person) return undefined;
  person.where = 'home';
  return `${person.name} goes without a word`;
}

/** Leaves the cards on the table, and says nothing. */
async function dropsCards(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    inside(world).filter(({ pocket }) => pocket.length > 0),
  );
  if (!person) return undefined;
  const { pocket } = person;
  person.pocket = [];
  person.where = 'home';
  world.isExact = false;
  for (const { isDead, class: name } of pocket)
    if (!isDead) world.dropped[name] = (world.dropped[name] ?? 0) + 1;
  await scan(world, pocket);
  return `${person.name} drops ${pocket.length} cards and goes without a word`;
}

/** Takes a live card of the pile. */
async function steals(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    world.people.filter(({ where }) => where === 'room'),
  );
  // There are enough for everybody else.
  if (!person || world.pile[person.class]!.length <= world.people.length) return undefined;
  const card = world.pile[person.class]!.pop()!;
  card.of = person;
  person.isThief = true;
  person.pocket.push(card);
  lie(world);
  return `${person.name} takes a card of the pile`;
}

export const LIES: Act[] = [
  { weight: 5, run: saysGivenBack },
  { weight: 3, run: leavesSilently },
  { weight: 2, run: dropsCards },
  { weight: 1, run: steals },
];
