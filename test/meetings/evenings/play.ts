import { SECOND } from '#kernel/clock.ts';
import { CHAIR, close, declare } from './acts/chair.ts';
import { DOOR } from './acts/door.ts';
import { scan } from './acts/handing-out.ts';
import { LIES } from './acts/lies.ts';
import { MISTAKES, noticeMistake } from './acts/mistakes.ts';
import { comesBack, OFFLINE } from './acts/offline.ts';
import { entersProxy, open, PACKS, print } from './acts/packs.ts';
import { everybodyVotes, VOTING } from './acts/voting.ts';
import type { Act } from './acts.ts';
import { checkAll, checkLog, checkMinutes, checkWall } from './checks.ts';
import type { Hall } from './http-house.ts';
import { type Random, randomOf } from './random.ts';
import {
  ensure,
  Fault,
  openQuestions,
  type Person,
  type Question,
  type Settings,
  type World,
} from './world.ts';

const STEPS = 50;
const QUESTIONS = 5;
const PROXIES = 3;
const CLASSES = ['Members', 'Board', 'Cellar'];
const BASES = ['yes_no', 'ballots', 'present', 'electors'] as const;

/** An evening that went wrong: its seed, and the steps that lead there. */
export interface Failure {
  seed: number;
  /** The numbers of the steps that were played, for `only`. */
  steps: number[];
  said: string[];
  why: string;
}

/**
 * Plays the evening of a seed.
 * @param only the numbers of the steps to play; absent: all. Each step has random numbers of its own.
 */
export async function playEvening(
  hall: Hall,
  seed: number,
  only?: readonly number[],
): Promise<Failure | undefined> {
  const said: string[] = [];
  const steps: number[] = [];
  try {
    const world = await beginEvening(hall, seed);
    said.push(JSON.stringify({ ...world.settings, people: world.people.length }));
    const acts = actsOf(randomOf(seed, 1));
    for (let at = 0; at < STEPS; at++) {
      if (only && !only.includes(at)) continue;
      world.random = randomOf(seed, 2, at);
      hall.service.clock.now += (1 + world.random.below(world.random.chance(0.15) ? 40 : 3)) * SECOND;
      steps.push(at);
      const what = await chooseAct(acts, world.random).run(world);
      if (what === undefined) {
        steps.pop();
        continue;
      }
      said.push(`${at}: ${what}`);
      await checkAll(world);
      if (world.random.chance(0.1)) await checkWall(world);
    }
    world.random = randomOf(seed, 3);
    said.push('the end of the evening');
    await endEvening(world);
    return undefined;
  } catch (error) {
    const why = error instanceof Fault ? error.message : String((error as Error).stack ?? error);
    return { seed, steps, said, why };
  }
}

/**
 * Some evenings have liars, some doors without network, some slips of the finger; in each something else happens more
 * often than usual.
 */
function actsOf(random: Random): Act[] {
  const all = [
    ...DOOR,
    ...VOTING,
    ...CHAIR,
    ...PACKS,
    ...(random.chance(0.4) ? LIES : []),
    ...(random.chance(0.4) ? MISTAKES : []),
    ...(random.chance(0.35) ? OFFLINE : []),
  ];
  return all.map(({ weight, run }) => ({ run, weight: weight * random.pick(OFTEN)! }));
}

const OFTEN = [0.3, 1, 1, 1, 4];

function chooseAct(acts: readonly Act[], random: Random): Act {
  let left = random.share() * acts.reduce((sum, { weight }) => sum + weight, 0);
  for (const act of acts) {
    left -= act.weight;
    if (left < 0) return act;
  }
  return acts[0]!;
}

async function beginEvening(hall: Hall, seed: number): Promise<World> {
  const random = randomOf(seed, 0);
  const classes = CLASSES.slice(0, 1 + random.below(CLASSES.length));
  const settings: Settings = {
    classes,
    remote: random.chance(0.6),
    proxies_per_person: random.below(3),
    proxies_count: random.chance(0.5),
    ...random.pick([
      { quorum: null, quorum_share: null },
      { quorum: 2, quorum_share: null },
      { quorum: null, quorum_share: { at_least: '1/3' } },
    ])!,
  };
  const house = await hall.hold(settings);
  const people = hall.members.slice(0, 3 + random.below(7)).map(
    ({ id, name, group }, at): Person => ({
      at,
      id,
      name,
      class: group !== undefined && classes.includes(group) ? group : CLASSES[0]!,
      where: 'home',
      pocket: [],
      link: undefined,
      pressed: 'absent',
      press: undefined,
      isWaiting: false,
      isThief: false,
      counts: false,
      hasGivenBack: false,
    }),
  );
  const world: World = {
    house,
    settings,
    people,
    pile: Object.fromEntries(classes.map((name) => [name, []])),
    closed: [],
    basket: [],
    heap: [],
    lost: [],
    proxies: [],
    questions: [],
    givenBack: {},
    scanned: {},
    hasStray: false,
    dropped: {},
    takenBack: [],
    kept: undefined,
    mistake: undefined,
    clock: hall.service.clock,
    presses: 0,
    isCalm: true,
    isExact: true,
    isDoorClosed: false,
    hasBegun: false,
    random,
  };
  for (let at = 0; at < QUESTIONS; at++) world.questions.push(await addQuestion(world, `Q${at + 1}`));
  for (const name of classes) {
    await print(world, name);
    await open(world);
  }
  // Most proxies are known before anybody comes.
  for (let at = 0; at < PROXIES && settings.proxies_per_person > 0; at++)
    if (random.chance(0.6)) await entersProxy(world);
  return world;
}

async function addQuestion({ house, settings, random }: World, name: string): Promise<Question> {
  const classes = random.chance(0.4) ? settings.classes.filter(() => random.chance(0.6)) : [];
  const majority = { share: 'more_than_half', of: random.pick(BASES)! };
  const question = { settings: { majority } };
  const made = await house.add({
    kind: 'motion',
    title: name,
    question,
    ...(classes.length > 0 && { classes }),
  });
  ensure(made.item !== undefined, `${name} is not added`);
  return {
    ...made,
    name,
    classes: classes.length > 0 ? classes : null,
    state: 'prepared',
    had: new Set(),
    votes: [],
    papers: [],
    counted: 0,
    isTouched: false,
    hands: undefined,
    atClose: undefined,
    isAlarming: false,
    isExact: true,
    isLate: false,
  };
}

/** The door is in order again, everybody votes on what is open, all results are announced, and the minutes agree. */
async function endEvening(world: World): Promise<void> {
  await comesBack(world);
  await noticeMistake(world);
  await scan(world, world.basket);
  await checkAll(world);
  for (const question of openQuestions(world)) {
    await everybodyVotes(world, question);
    await checkAll(world);
    await close(world, question);
  }
  for (const question of world.questions) if (question.state === 'closed') await declare(world, question);
  await checkAll(world, true);
  await checkWall(world);
  const { status, body } = await world.house.change({ state: 'closed' });
  ensure(status === 200, `the meeting is not closed: ${status} ${JSON.stringify(body)}`);
  await checkMinutes(world);
  await checkLog(world);
}

/** Leaves out steps as long as the evening goes wrong in the same way. */
export async function shorten(open: () => Promise<Hall>, failure: Failure): Promise<Failure> {
  let shortest = failure;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (const step of shortest.steps.toReversed()) {
      await using hall = await open();
      const only = shortest.steps.filter((one) => one !== step);
      const found = await playEvening(hall, failure.seed, only);
      if (!found || kindOf(found) !== kindOf(failure)) continue;
      shortest = found;
      isShorter = true;
      break;
    }
  }
  return shortest;
}

/** What went wrong, without names and numbers. */
const kindOf = ({ why }: Failure): string => why.replaceAll(/Member \d+|Q\d|\d+|\{.*?\}/g, '');

/** How to play it again. */
export const tellFailure = ({ seed, steps, said, why }: Failure): string =>
  [`${why}`, `EVENING=${seed} STEPS=${steps.join()}`, ...said].join('\n');
