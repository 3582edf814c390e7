import type { Act } from '../acts.ts';
import { type Card, ensure, isRepresented, openQuestions, someone, type World } from '../world.ts';
import { readProxies, scan } from './handing-out.ts';

/** Prints ten cards of a class. */
export async function print(world: World, name: string): Promise<void> {
  const { id, cards } = await world.house.printPack(name);
  const made = cards.map(
    ({ code, stub }): Card => ({
      code,
      stub,
      class: name,
      of: null,
      isDead: false,
      isVoid: false,
      isOld: false,
      answered: new Set(),
    }),
  );
  world.closed.push({ id, class: name, cards: made });
}

/** Opens the first pack that was printed: its cards go below the pile. */
export async function open(world: World): Promise<string | undefined> {
  const pack = world.closed.shift();
  if (!pack) return undefined;
  const { status } = await world.house.openPack(pack.id);
  ensure(status < 400, `a pack is not opened: ${status}`);
  world.pile[pack.class]!.push(...pack.cards);
  return `a pack of ${pack.class} is opened`;
}

async function prints(world: World): Promise<string | undefined> {
  // While a question is open that is a grave act.
  if (openQuestions(world).length > 0 || world.isDoorClosed) return undefined;
  const name = world.random.pick(world.settings.classes)!;
  await print(world, name);
  return `a pack of ${name} is printed`;
}

/** A helper scans a card of the pile by mistake. */
async function scansPile(world: World): Promise<string | undefined> {
  const name = world.random.pick(world.settings.classes)!;
  const card = world.pile[name]!.pop();
  if (!card) return undefined;
  await scan(world, [card]);
  world.hasStray = true;
  return `a card of the pile of ${name} is scanned`;
}

/** Cards that are dead already change nothing. */
async function scansHeap(world: World): Promise<string | undefined> {
  const card = world.random.pick(world.heap);
  if (!card) return undefined;
  const { status, body } = await world.house.scan([card.code]);
  ensure(
    status === 200 && body.returned === 0,
    `a dead card is returned again: ${status} ${JSON.stringify(body)}`,
  );
  return 'a dead card is scanned';
}

async function renews(world: World): Promise<string | undefined> {
  if (world.mistake || world.kept) return undefined;
  const { status, body } = await world.house.renew();
  const isOpen = openQuestions(world).length > 0;
  ensure(status === (isOpen ? 409 : 200), `the cards are renewed: ${status} ${JSON.stringify(body)}`);
  if (isOpen) return 'cards are not renewed while a question is open';
  endCards(world);
  await readProxies(world);
  for (const person of world.people) {
    person.isWaiting = person.pressed === 'in' && person.counts && !isRepresented(world, person);
    person.counts = false;
  }
  if (!world.isDoorClosed)
    for (const name of world.settings.classes) {
      await print(world, name);
      await open(world);
    }
  return 'the cards are renewed';
}

function endCards(world: World): void {
  const out = [...world.people.flatMap(({ pocket }) => pocket), ...world.lost.map(({ card }) => card)];
  for (const card of [...out, ...world.basket, ...Object.values(world.pile).flat()]) {
    card.isDead = true;
    card.isVoid = false;
    card.isOld = true;
  }
  for (const proxy of world.proxies) proxy.isUsed = false;
  for (const name of world.settings.classes) world.pile[name] = [];
  world.heap.push(...world.basket);
  world.basket = [];
  world.givenBack = {};
  world.scanned = {};
  world.dropped = {};
  world.takenBack = [];
}

/** Packs that were not opened die; the door still lets people in. */
async function closesDoor(world: World): Promise<string | undefined> {
  const { status } = await world.house.closeDoor();
  ensure(status === 200, `the door is not closed: ${status}`);
  world.closed = [];
  world.isDoorClosed = true;
  return 'the door is closed';
}

export async function entersProxy(world: World): Promise<string | undefined> {
  // Whoever has a link gives a proxy too: only the card that is handed out for it ends the link.
  const elsewhere = world.people.filter(
    ({ link, pressed }) => link?.isDead === false && pressed === 'absent',
  );
  const isBoth = elsewhere.length > 0 && world.random.chance(0.6);
  const giver = someone(world, isBoth ? elsewhere : world.people);
  const holder = someone(world, world.people);
  // A door without network may have let in whoever gives one now.
  if (!giver || !holder || world.kept || world.mistake) return undefined;
  const { status, body } = await world.house.enterProxy(giver.id, holder.id);
  const isPlain = giver.pressed === 'absent' && giver !== holder && world.settings.proxies_per_person > 0;
  const isFree = isPlain && !world.proxies.some((one) => one.giver === giver || one.holder === holder);
  ensure(status === 200 || !isFree, `${giver.name} gives no proxy: ${status} ${JSON.stringify(body)}`);
  if (status !== 200) return `no proxy of ${giver.name} for ${holder.name}`;
  world.proxies.push({ id: body.id, giver, holder, isUsed: false });
  return `${giver.name} is represented by ${holder.name}`;
}

async function removesProxy(world: World): Promise<string | undefined> {
  const proxy = world.random.pick(world.proxies);
  if (!proxy) return undefined;
  const { status, body } = await world.house.removeProxy(proxy.id);
  const { class: own } = proxy.giver;
  const isScanned = (world.givenBack[own] ?? 0) <= (world.scanned[own] ?? 0);
  ensure(
    status === 200 ? !proxy.isUsed : proxy.isUsed || !isScanned,
    `a proxy is removed: ${status} ${JSON.stringify(body)}`,
  );
  if (status === 200) world.proxies = world.proxies.filter((one) => one !== proxy);
  return `the proxy of ${proxy.giver.name} is removed: ${status}`;
}

export const PACKS: Act[] = [
  { weight: 0.7, run: prints },
  { weight: 0.7, run: open },
  { weight: 0.4, run: scansPile },
  { weight: 0.4, run: scansHeap },
  { weight: 0.6, run: renews },
  { weight: 0.2, run: closesDoor },
  { weight: 4, run: entersProxy },
  { weight: 0.7, run: removesProxy },
];
