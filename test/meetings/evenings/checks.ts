import { expectedVoters, hasAnswered } from './expected.ts';
import {
  type Expected,
  ensure,
  liveCardsOf,
  openQuestions,
  type Person,
  type Question,
  votesOn,
  type World,
} from './world.ts';

const PARTS = ['here', 'represented', 'elsewhere', 'left_with_card', 'voted_and_gone'] as const;

// biome-ignore lint/suspicious/noExplicitAny: what the service answered.
type Json = any;

/** After each step: what the pockets say of votes, and that every surface says the same. @throws Fault */
export async function checkAll(world: World, isLast = false): Promise<void> {
  checkPockets(world);
  // What is announced changes no more, and is looked at again at the end. A wrong figure stays: half of the looks find it.
  const isLooked = world.questions.some(({ state }) => state === 'open' || state === 'closed');
  if (!isLast && (!isLooked || world.random.chance(0.5))) return;
  const { status, body } = await world.house.read();
  ensure(status === 200, `the meeting is not shown: ${status}`);
  const shown = isLast || world.random.chance(0.3) ? (await world.house.shown()).body : undefined;
  for (const question of world.questions) {
    const item = body.items.find(({ id }: Json) => id === question.item);
    ensure(item.state === question.state, `${question.name} is ${item.state}, not ${question.state}`);
    if (question.state === 'prepared' || question.state === 'void') continue;
    checkVoters(world, question, item);
    if (shown) checkPublic(question, item, shown);
  }
}

/** Nobody has two ways to vote, or votes twice. */
export function checkPockets(world: World): void {
  const open = openQuestions(world);
  for (const person of world.people) {
    if (person.isThief) continue;
    const cards = liveCardsOf(world, person);
    for (const question of world.questions) {
      const papers = question.papers.filter(({ of }) => of === person).length;
      const votes = question.votes.filter((voter) => voter === person).length + papers;
      ensure(votes <= 1, `${person.name} has ${votes} votes on ${question.name}`);
      if (question.state !== 'open' || !votesOn(question, person.class)) continue;
      const { link } = person;
      const ways =
        cards.filter(({ answered }) => !answered.has(question)).length +
        (link && !link.isDead && !link.answered.has(question) ? 1 : 0);
      ensure(
        votes + ways <= 1,
        `${person.name} has ${votes} votes and ${ways} more ways on ${question.name}`,
      );
    }
    if (open.length > 0) continue;
    const links = person.link && !person.link.isDead ? 1 : 0;
    ensure(cards.length + links <= 1, `${person.name} has ${cards.length} cards and ${links} links`);
  }
}

/** How many ballots the service has of a question: by card and link, and the papers that were joined. */
const ballotsOf = (question: Question): number => question.votes.length + question.counted;

function checkVoters(world: World, question: Question, item: Json): void {
  const { voters, alarm } = item;
  const { name } = question;
  ensure(voters !== undefined, `${name} has no voters`);
  const sum = PARTS.reduce((all, part) => all + voters[part], 0);
  ensure(sum === voters.total, `the parts of ${name} add up to ${sum}, not to ${voters.total}`);
  ensure(
    PARTS.every((part) => voters[part] >= 0),
    `${name} has a part below 0: ${JSON.stringify(voters)}`,
  );
  const ballots = question.hands ?? ballotsOf(question);
  const turnout = item.result?.turnout;
  if (turnout)
    ensure(
      turnout.used === ballots,
      `${name} has ${ballots} ballots, its turnout is ${JSON.stringify(turnout)}`,
    );
  // Members elsewhere raise no hands, and in a room without a door nobody has counted.
  const limit = question.hands === undefined ? voters.total : voters.total - voters.elsewhere;
  const isAlarm = ballots > limit && (question.hands === undefined || limit > 0);
  ensure(
    isAlarm === (alarm !== undefined),
    `${name}: ${ballots} of ${limit}, alarm ${JSON.stringify(alarm)}`,
  );
  if (alarm)
    ensure(
      alarm.votes === ballots && alarm.voters === limit,
      `${name}: ${ballots} of ${limit}, alarm ${JSON.stringify(alarm)}`,
    );
  const isKnown = world.kept === undefined && (world.basket.length === 0 || !world.hasStray);
  const isQuiet = world.isCalm && !question.isAlarming && isKnown;
  ensure(!isAlarm || !isQuiet, `${name}: ${ballots} votes of ${limit}, and all were honest`);
  // Between a press and its scan the card is neither in a pocket nor known to have voted.
  const isSettled = world.basket.length === 0 && world.kept === undefined && world.mistake === undefined;
  const expected = question.state === 'open' ? expectedVoters(world, question) : question.atClose;
  if (expected && question.isExact && world.isExact && isSettled)
    ensure(
      isSame(question, expected, voters),
      `${name}: voters ${say(voters)} by the service, ${say(expected)} by the pockets`,
    );
}

/** A press that arrives after the close counts in it; who left by such a press may count in what opened later. */
const isSame = ({ isLate }: Question, expected: Expected, voters: Expected): boolean =>
  isLate
    ? voters.total >= expected.total
    : voters.total === expected.total && PARTS.every((part) => voters[part] === expected[part]);

const say = (voters: Expected): string =>
  `${voters.total} (${PARTS.map((part) => `${part} ${voters[part]}`).join(', ')})`;

/** The page of members says no other figure than officers read. */
function checkPublic(question: Question, item: Json, shown: Json): void {
  const open = shown.open.find(({ id }: Json) => id === question.election);
  ensure(
    (open !== undefined) === (question.state === 'open'),
    `${question.name} is open on one surface alone`,
  );
  if (open)
    ensure(open.voted === question.votes.length, `${open.voted} have voted on ${question.name} by the page`);
  const current = shown.item?.id === question.item ? shown.item : undefined;
  if (!current || question.state !== 'declared') return;
  const [one, other] = [figuresOf(current), figuresOf(item)];
  ensure(one === other, `${question.name}: ${one} by the page of members, ${other} by that of officers`);
}

/** The wall has no figures of its own. */
export async function checkWall(world: World): Promise<void> {
  const wall = await world.house.wall();
  const [, voted, of] = /<strong>(\d+)<\/strong> of (\d+)/.exec(wall) ?? [];
  if (voted === undefined || of === undefined) return;
  const counts = openQuestions(world).map(({ votes }) => votes.length);
  ensure(counts.includes(Number(voted)), `${voted} have voted by the wall`);
  ensure(Number(voted) <= Number(of), `the wall says ${voted} of ${of}`);
}

/** The result of a question that was declared: its base is never smaller than what was counted. */
export function checkResult(question: Question, item: Json): void {
  const { results, total_ballots, turnout } = item.result;
  const counted = question.hands ?? ballotsOf(question);
  ensure(total_ballots === counted, `${question.name}: ${total_ballots} counted of ${counted}`);
  const voices = results.yes + results.no + (results.abstain ?? 0) + (results.blank ?? 0);
  ensure(voices <= counted, `${question.name}: ${voices} voices in ${counted}`);
  if (['present', 'electors', 'ballots'].includes(results.majority.of))
    ensure(results.base >= counted, `${question.name}: ${counted} votes, base ${results.base}`);
  if (turnout) ensure(turnout.used === counted, `${question.name}: turnout ${JSON.stringify(turnout)}`);
}

/** At the end of the evening: the minutes have the figures that the pages had. */
export async function checkMinutes(world: World): Promise<void> {
  const { items } = (await world.house.read()).body;
  const { minutes } = (await world.house.minutes()).body;
  for (const question of world.questions) {
    if (question.state !== 'declared') continue;
    const item = items.find(({ id }: Json) => id === question.item);
    const noted = minutes.items.find(({ id }: Json) => id === question.item);
    const [before, after] = [figuresOf(item), figuresOf(noted)];
    ensure(before === after, `${question.name}: ${after} in the minutes, ${before} before`);
  }
}

/** However the evening went, nothing of it is an alarm: each change is in the log. */
export async function checkLog(world: World): Promise<void> {
  const differences = await world.house.differences();
  ensure(differences.length === 0, `the log differs: ${differences.join('; ')}`);
}

/** The figures of a question that was announced, as text. */
const figuresOf = ({ voters, result }: Json): string =>
  JSON.stringify([voters, result.total_ballots, result.turnout, result.results]);

/** Whether somebody has to be able to vote on a question with this card or link. */
export const mayVote = (question: Question, person: Person): boolean =>
  question.state === 'open' && votesOn(question, person.class) && !hasAnswered(question, person);
