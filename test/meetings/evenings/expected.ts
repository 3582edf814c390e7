import {
  countPile,
  type Expected,
  isRepresented,
  type Person,
  type Question,
  votesOn,
  type World,
} from './world.ts';

type Part = Exclude<keyof Expected, 'total'>;

/** Who counts in an open question, and how, by the pockets of the people alone: everybody once. */
export function expectedVoters(world: World, question: Question): Expected {
  const counts = { here: 0, represented: 0, elsewhere: 0, left_with_card: 0, voted_and_gone: 0 };
  for (const person of world.people) {
    const part = votesOn(question, person.class) ? partOf(world, question, person) : undefined;
    if (part) counts[part]++;
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { ...counts, total };
}

function partOf(world: World, question: Question, person: Person): Part | undefined {
  if (person.counts) return person.pressed === 'out' ? 'left_with_card' : 'here';
  if (isRepresented(world, person)) return 'represented';
  if (person.link && !person.link.isDead && person.link.isHere) return 'elsewhere';
  return hasAnswered(question, person) ? 'voted_and_gone' : undefined;
}

/** A card for which a paper was handed out has answered. */
export const hasAnswered = ({ votes, papers }: Question, person: Person): boolean =>
  votes.includes(person) || papers.some(({ of }) => of === person);

/** Why somebody may be told to wait for the own card; undefined: nothing keeps it from them. */
export function reasonToWait(world: World, person: Person, open = openOf(world)): string | undefined {
  const { class: own } = person;
  if (open.some(({ had }) => had.has(person))) return 'had a card since the opening';
  if (answeredByLink(person, open)) return 'the link has answered an open question';
  if (isRepresented(world, person)) return 'the card of the proxy is out';
  if (countPile(world, own) === 0) return 'no card is left';
  if ((world.givenBack[own] ?? 0) > (world.scanned[own] ?? 0))
    return 'a card that was given back is not scanned';
  if (world.takenBack.some((card) => card.class === own) && isUnsure(world, own, open))
    return 'a card that was taken back may have answered';
  return undefined;
}

const openOf = ({ questions }: World): Question[] => questions.filter(({ state }) => state === 'open');

export const answeredByLink = ({ link }: Person, open: readonly Question[]): boolean =>
  link !== undefined && open.some((question) => link.answered.has(question));

/** Cards name nobody: any that came back may be the one that was taken back. */
const isUnsure = ({ heap }: World, name: string, open: readonly Question[]): boolean =>
  heap.some((card) => card.class === name && open.some((question) => card.answered.has(question)));
