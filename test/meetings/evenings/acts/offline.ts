import { SECOND } from '#kernel/clock.ts';
import type { Act } from '../acts.ts';
import { countPile, ensure, openQuestions, type Person, someone, type World } from '../world.ts';
import { endLink, hasAllOf, isFree, noteGivenBack, scan, take } from './handing-out.ts';

/** Whose door has no network. */
export const isOffline = (world: World, { at }: Person): boolean => world.kept !== undefined && at % 2 === 1;

async function losesNetwork(world: World): Promise<string | undefined> {
  if (world.kept || world.mistake) return undefined;
  world.kept = [];
  return 'a door has no network';
}

/** A door without network hands cards to people of its part who were never in and had no link and no proxy. */
async function arrives(world: World): Promise<string | undefined> {
  if (!world.kept) return undefined;
  const person = someone(
    world,
    world.people.filter((one) => isKnownNew(world, one)),
  );
  if (!person) return undefined;
  take(world, person, person);
  endLink(person);
  person.counts = true;
  person.pressed = 'in';
  person.where = 'room';
  for (const question of openQuestions(world)) {
    question.isTouched = true;
    question.had.add(person);
  }
  world.kept.push({ person, press: `b${++world.presses}`, action: 'in', at: world.clock.now });
  return `${person.name} comes to the door without network`;
}

const isKnownNew = (world: World, person: Person): boolean =>
  isFree(world, person) &&
  isOffline(world, person) &&
  person.pressed === 'absent' &&
  person.link === undefined &&
  countPile(world, person.class) > 0 &&
  // A card that came back because of a mistake makes newcomers wait, and the door has heard that.
  !world.takenBack.some((card) => card.class === person.class) &&
  !world.proxies.some(({ giver, holder }) => giver === person || holder === person);

async function leaves(world: World): Promise<string | undefined> {
  const inside =
    world.kept?.filter(({ person }) => person.where === 'room').map(({ person }) => person) ?? [];
  const person = someone(world, inside);
  if (!person || !world.kept) return undefined;
  const gave_back = hasAllOf(world, person) && world.random.chance(0.6);
  const press = `b${++world.presses}`;
  world.kept.push({ person, press, action: 'out', at: world.clock.now, gave_back });
  person.where = 'home';
  person.pressed = 'out';
  if (gave_back) {
    world.basket.push(...person.pocket);
    person.pocket = [];
    noteGivenBack(world, person);
  }
  return `${person.name} leaves by the door without network${gave_back ? ' and gives the card back' : ''}`;
}

/** The presses arrive in their order, each with how long ago it was. */
export async function comesBack(world: World): Promise<string | undefined> {
  const { kept } = world;
  if (!kept) return undefined;
  for (const { person, press, action, at, gave_back } of kept) {
    const ago = Math.round((world.clock.now - at) / SECOND);
    const sent = { person_id: person.id, action, press, ago, ...(gave_back !== undefined && { gave_back }) };
    const { status, body } = await world.house.door(sent);
    ensure(status === 200, `a late press is refused: ${status} ${JSON.stringify(body)}`);
    ensure(
      action === 'out' || body.cards[person.class] === 1 || (world.dropped[person.class] ?? 0) > 0,
      `a late press for ${person.name} gives ${JSON.stringify(body)}`,
    );
  }
  world.kept = undefined;
  await scan(world, world.basket);
  return `the network is back: ${kept.length} presses`;
}

export const OFFLINE: Act[] = [
  { weight: 0.7, run: losesNetwork },
  { weight: 4, run: arrives },
  { weight: 1, run: leaves },
  { weight: 1.2, run: comesBack },
];
