import type { Act } from '../acts.ts';
import { countPile, ensure, newPress, openQuestions, type Person, someone, type World } from '../world.ts';
import { dueTo, handOut, hasAllOf, isFree, noteGivenBack, owedBy, scan } from './handing-out.ts';
import { isOffline } from './offline.ts';

const atHome = (world: World): Person[] =>
  world.people.filter((person) => isFree(world, person) && !isOffline(world, person));

/** Those who are in, and known to be. */
const inside = (world: World): Person[] =>
  world.people.filter(
    (person) =>
      person.where === 'room' &&
      person.pressed === 'in' &&
      world.mistake?.other !== person &&
      !world.kept?.some((one) => one.person === person),
  );

async function arrives(world: World): Promise<string | undefined> {
  const person = someone(world, atHome(world));
  if (!person) return undefined;
  const due = dueTo(world, person);
  const press = newPress(world, world.random.chance(0.5) ? 'a' : 'b');
  const known = person.pressed === 'in';
  const { status, body } = await world.house.door({ person_id: person.id, action: 'in', press });
  person.where = 'room';
  // Left without a word: the door has nothing more to hand out, unless for others.
  if (known && status === 409) return `${person.name} comes back, who never passed the door`;
  ensure(status === 200, `${person.name} is not let in: ${status} ${JSON.stringify(body)}`);
  if (!known) {
    person.pressed = 'in';
    person.press = press;
  }
  await handOut(world, person, { body, due });
  return `${person.name} comes: ${JSON.stringify(body)}`;
}

async function leavesWithCard(world: World): Promise<string | undefined> {
  const person = someone(world, inside(world));
  if (!person) return undefined;
  await leave(world, person, false);
  return `${person.name} leaves with the card`;
}

async function leave(world: World, person: Person, gave_back: boolean): Promise<void> {
  const owed: Record<string, number> = {};
  for (const one of owedBy(world, person)) owed[one.class] = (owed[one.class] ?? 0) + 1;
  const press = newPress(world);
  const { status, body } = await world.house.door({ person_id: person.id, action: 'out', press, gave_back });
  ensure(status === 200, `${person.name} cannot leave: ${status} ${JSON.stringify(body)}`);
  const takes = body.takes ?? {};
  if (gave_back)
    ensure(
      [...new Set([...Object.keys(owed), ...Object.keys(takes)])].every(
        (name) => (owed[name] ?? 0) === (takes[name] ?? 0),
      ),
      `${person.name} has to give back ${JSON.stringify(owed)}, and the door says ${JSON.stringify(takes)}`,
    );
  person.pressed = 'out';
  person.where = 'home';
  person.isWaiting = false;
  if (gave_back) noteGivenBack(world, person);
}

async function givesBack(world: World): Promise<string | undefined> {
  const person = someone(
    world,
    inside(world).filter((one) => hasAllOf(world, one)),
  );
  if (!person) return undefined;
  const cards = person.pocket;
  const order = world.random.pick(['scan first', 'press first', 'scan later'] as const)!;
  person.pocket = [];
  if (order === 'scan first') await scan(world, cards);
  else world.basket.push(...cards);
  await leave(world, person, true);
  if (order === 'press first') await scan(world, cards);
  return `${person.name} leaves and gives back ${cards.length} cards (${order})`;
}

async function scansBasket(world: World): Promise<string | undefined> {
  if (world.basket.length === 0) return undefined;
  const cards = world.random.chance(0.5) ? [...world.basket] : world.basket.slice(0, 1);
  await scan(world, cards);
  return `${cards.length} cards that lie at the door are scanned`;
}

/** The action `card`: what somebody who is in waits for. */
async function handsOut(world: World): Promise<string | undefined> {
  const waiting = inside(world).filter((one) => !one.counts || dueTo(world, one).proxies.length > 0);
  const person = someone(world, waiting);
  if (!person) return undefined;
  const proxy = world.proxies.find(({ giver, isUsed }) => giver === person && isUsed);
  if (proxy && openQuestions(world).length === 0 && world.random.chance(0.7))
    return fromHolder(world, person);
  const due = dueTo(world, person);
  const answer = await world.house.door({ person_id: person.id, action: 'card', press: newPress(world) });
  const { status, body } = answer;
  const isDue = (!due.had && due.reason === undefined) || due.proxies.length > 0;
  if (status !== 200) {
    ensure(!isDue, `${person.name} waits for nothing: ${status} ${JSON.stringify(body)}`);
    return `${person.name} gets no card yet (${due.reason})`;
  }
  await handOut(world, person, { body, due });
  return `${person.name} gets what they waited for: ${JSON.stringify(body.cards)}`;
}

/** The holder of a proxy gives back whichever card comes first, and keeps the other one. */
async function fromHolder(world: World, giver: Person): Promise<string | undefined> {
  const proxy = world.proxies.find((one) => one.giver === giver && one.isUsed)!;
  const { holder } = proxy;
  const { class: own } = giver;
  if (holder.where === 'home' || countPile(world, own) === 0 || isUnscanned(world, own)) return undefined;
  const alive = holder.pocket.filter((card) => !card.isDead && card.class === own);
  const card = world.random.pick(alive);
  const other = alive.find((one) => one.of === giver);
  if (!card || !other) return undefined;
  // Cards name nobody: the one that stays is theirs whose card was given back.
  other.of = card.of;
  card.of = giver;
  holder.pocket = holder.pocket.filter((one) => one !== card);
  await scan(world, [card]);
  const press = newPress(world);
  const { status, body } = await world.house.door({
    person_id: giver.id,
    action: 'card',
    gave_back: true,
    press,
  });
  ensure(status === 200, `${giver.name} gets no card for the proxy's: ${status} ${JSON.stringify(body)}`);
  world.givenBack[own] = (world.givenBack[own] ?? 0) + 1;
  proxy.isUsed = false;
  const due = dueTo(world, giver);
  await handOut(world, giver, { body, due });
  return `${holder.name} gives back the card of ${giver.name}, who gets one`;
}

const isUnscanned = ({ givenBack, scanned }: World, name: string): boolean =>
  (givenBack[name] ?? 0) > (scanned[name] ?? 0);

/** The end of a day. */
async function allLeave(world: World): Promise<string | undefined> {
  if (world.mistake || world.kept) return undefined;
  const { status } = await world.house.door({ action: 'all_out' });
  const isOpen = openQuestions(world).length > 0;
  ensure(status === (isOpen ? 409 : 200), `everybody leaves: ${status}`);
  if (isOpen) return 'not everybody can leave while a question is open';
  for (const person of world.people) {
    if (person.pressed !== 'in') continue;
    person.pressed = 'out';
    person.where = 'home';
    person.isWaiting = false;
  }
  return 'everybody leaves';
}

export const DOOR: Act[] = [
  { weight: 14, run: arrives },
  { weight: 4, run: leavesWithCard },
  { weight: 5, run: givesBack },
  { weight: 4, run: scansBasket },
  { weight: 6, run: handsOut },
  { weight: 0.4, run: allLeave },
];
