import { reasonToWait } from '../expected.ts';
import {
  type Card,
  countPile,
  ensure,
  type GivenProxy,
  liveCardsOf,
  openQuestions,
  type Person,
  type World,
} from '../world.ts';

/** What the door may say of somebody: why they may have to wait, and which proxies' cards it has to hand out. */
export interface Due {
  reason: string | undefined;
  had: boolean;
  /** Proxies whose cards nothing keeps back. */
  proxies: GivenProxy[];
}

/** Looked at before the press, since the answer changes it. */
export const dueTo = (world: World, person: Person): Due => ({
  reason: reasonToWait(world, person),
  had: person.counts,
  proxies: world.proxies.filter(
    ({ giver, holder, isUsed }) =>
      holder === person && !isUsed && giver.pressed !== 'in' && !giver.counts && !reasonToWait(world, giver),
  ),
});

// biome-ignore lint/suspicious/noExplicitAny: what the service answered.
type Answer = any;

/**
 * Hands out what the door says, from the pile, to whoever stands there.
 * @param to who takes it: somebody else where the wrong name was tapped
 * @throws Fault where the door hands out what it must not, or nothing without a reason
 */
export async function handOut(
  world: World,
  person: Person,
  { body, due, to = person }: { body: Answer; due: Due; to?: Person },
): Promise<void> {
  const { waits = false } = body;
  const cards: Record<string, number> = { ...body.cards };
  const gets = !due.had && !waits;
  if (waits) ensure(due.reason !== undefined && !due.had, `${person.name} is told to wait for nothing`);
  const used = await readProxies(world);
  for (const { giver, holder } of used)
    ensure(holder === person, `the card of ${giver.name} is handed out to somebody else`);
  const mine = [...(gets ? [person] : []), ...used.map(({ giver }) => giver)];
  const counted: Record<string, number> = {};
  for (const one of mine) counted[one.class] = (counted[one.class] ?? 0) + 1;
  ensure(
    [...new Set([...Object.keys(counted), ...Object.keys(cards)])].every(
      (name) => (counted[name] ?? 0) === (cards[name] ?? 0),
    ),
    `${person.name} gets ${JSON.stringify(cards)}, ${JSON.stringify(counted)} would be right`,
  );
  for (const one of mine) {
    take(world, to, one === person ? to : one);
    endLink(one);
  }
  person.isWaiting = waits;
  if (gets) person.counts = true;
  for (const question of openQuestions(world)) {
    question.isTouched = true;
    for (const one of mine) question.had.add(one);
  }
  for (const proxy of due.proxies)
    ensure(
      proxy.isUsed || countPile(world, proxy.giver.class) === 0,
      `the card of ${proxy.giver.name} is kept back from ${person.name}`,
    );
}

/** The uppermost card of the pile. @throws Fault if there is none */
export function take(world: World, into: Person, of: Person): void {
  const card = world.pile[of.class]?.shift();
  // Where a card of the pile was scanned, the door takes an unscanned one for one of the pile.
  ensure(card !== undefined || world.hasStray, `a card of ${of.class} is handed out, and none is left`);
  if (!card) return;
  noteSurplus(world, of);
  card.of = of;
  into.pocket.push(card);
}

/**
 * What no anonymous card can stop: somebody kept a card and said that it was given back, or a card that a mistake gave
 * them is not scanned yet, while another one was scanned of which nobody had said so.
 */
export function noteSurplus(world: World, person: Person): void {
  const isKept = liveCardsOf(world, person).length > 0 && isSurplus(world, person.class);
  const isHidden = world.hasStray || !world.isExact;
  const isUnscanned = world.takenBack.some((card) => card.of === person && !card.isDead);
  if (!isKept && !(isHidden && isUnscanned)) return;
  person.isThief = true;
  world.isExact = false;
}

const isSurplus = ({ givenBack, scanned, isExact }: World, name: string): boolean =>
  !isExact && (scanned[name] ?? 0) >= (givenBack[name] ?? 0);

export function endLink(person: Person): void {
  if (person.link) person.link.isDead = true;
}

/** Reads which proxies there are still, and whose cards are out. @returns those whose card was handed out since */
export async function readProxies(world: World): Promise<GivenProxy[]> {
  if (world.proxies.length === 0) return [];
  const { body } = await world.house.seen();
  const rows = new Map<string, { state: string }>(body.proxies.map((row: { id: string }) => [row.id, row]));
  world.proxies = world.proxies.filter(({ id }) => rows.has(id));
  const handed = world.proxies.filter(({ id, isUsed }) => !isUsed && rows.get(id)?.state === 'used');
  for (const proxy of world.proxies) proxy.isUsed = rows.get(proxy.id)?.state === 'used';
  return handed;
}

/** The cards that a person would have to give back: the own one, and those of represented people. */
export const owedBy = (world: World, person: Person): Person[] => [
  ...(person.counts ? [person] : []),
  ...world.proxies.filter(({ holder, isUsed }) => holder === person && isUsed).map(({ giver }) => giver),
];

/** Whether all of them are in the pocket, and work. */
export const hasAllOf = (world: World, person: Person): boolean =>
  owedBy(world, person).every((one) => person.pocket.some((card) => card.of === one && !card.isDead));

/** Cards that lie at the door are scanned. @throws Fault */
export async function scan(world: World, cards: readonly Card[]): Promise<void> {
  if (cards.length === 0) return;
  const { status, body } = await world.house.scan(cards.map(({ code }) => code));
  ensure(status === 200, `a scan is refused: ${status} ${JSON.stringify(body)}`);
  const alive = cards.filter(({ isDead, isVoid }) => !isDead || isVoid);
  ensure(body.returned === alive.length, `${alive.length} cards were scanned, and ${body.returned} returned`);
  for (const card of alive) {
    card.isDead = true;
    card.isVoid = false;
    world.scanned[card.class] = (world.scanned[card.class] ?? 0) + 1;
  }
  world.basket = world.basket.filter((card) => !cards.includes(card));
  world.heap.push(...cards);
}

/** What a press that the cards are back changes. */
export function noteGivenBack(world: World, person: Person): void {
  for (const one of owedBy(world, person)) {
    world.givenBack[one.class] = (world.givenBack[one.class] ?? 0) + 1;
    one.hasGivenBack = true;
    if (one === person) person.counts = false;
  }
  for (const proxy of world.proxies) if (proxy.holder === person) proxy.isUsed = false;
}

/** Somebody at home who has come to the door, and of whom the door knows nothing that is wrong. */
export const isFree = (world: World, person: Person): boolean =>
  person.where === 'home' &&
  world.mistake?.person !== person &&
  world.mistake?.other !== person &&
  !(world.kept?.some((one) => one.person === person) ?? false);
