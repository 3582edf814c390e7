// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import { SIMPLE_CHOICES } from './choice.ts';
import type { LotOrder } from './lots.ts';
import { indexNumbers, malformed } from './schulze.ts';
import { fillSeats, groupByVotes, type SeatsResult } from './seats.ts';
import { DEFAULT_MAJORITY, type Majority, needed, reaches } from './share.ts';
import type { BaseResult, ChoiceTally, TallyOption, TallySettings, Whole } from './tally.ts';

export interface EachResult extends BaseResult, SeatsResult {
  method: 'majority';
  variant: 'yes or no to each';
  /** In display order. */
  options: { id: string; name: string; yes: number; no: number; abstain: number }[];
  /** What each needs for a seat. */
  majority: Majority;
  /** What it is a share of, and the smallest number of Yes; absent where each has its own number of yes and no. */
  base?: number;
  needed?: number;
}

/**
 * Counts yes, no or abstain to each option, `{"1":"yes","2":"abstain"}`, in the order of the numbers. Those who
 * reach the majority are elected, most Yes first, up to the seats.
 */
export class EachTally implements ChoiceTally<EachResult> {
  readonly #options: readonly TallyOption[];
  readonly #settings: TallySettings;
  /** For each option, in the order of the numbers, how each answer is spelled in a stored ballot. */
  readonly #spellings: readonly (readonly string[])[];
  /** The numbers of options, ascending. */
  readonly #numbers: readonly number[];
  /** How often each answer was given to each of them. */
  readonly #counts: readonly [yes: number, no: number, abstain: number][];
  /** The answers of a ballot, as places of `SIMPLE_CHOICES`. */
  readonly #answers: Uint8Array;

  constructor(options: readonly TallyOption[], settings: TallySettings) {
    this.#options = options;
    this.#settings = settings;
    const numbers = options.map(({ number }) => number);
    indexNumbers(numbers);
    this.#numbers = numbers.sort((a, b) => a - b);
    this.#spellings = this.#numbers.map((number, at) =>
      SIMPLE_CHOICES.map((choice) => `${at === 0 ? '{' : ','}"${number}":"${choice}"`),
    );
    this.#counts = this.#numbers.map(() => [0, 0, 0]);
    this.#answers = new Uint8Array(this.#numbers.length);
  }

  add(choiceText: string, count = 1): void {
    let [at, yes] = [0, 0];
    for (const [place, spellings] of this.#spellings.entries()) {
      const answer = spellings.findIndex((part) => choiceText.startsWith(part, at));
      if (answer < 0) throw malformed(choiceText);
      at += spellings[answer]!.length;
      this.#answers[place] = answer;
      if (answer === 0) yes += 1;
    }
    if (choiceText.slice(at) !== '}' || yes > (this.#settings.max_yes ?? yes)) throw malformed(choiceText);
    for (const [place, counts] of this.#counts.entries()) counts[this.#answers[place]!]! += count;
  }

  result(whole: Whole, orders?: readonly LotOrder[]): Omit<EachResult, keyof BaseResult> {
    const majority = this.#settings.majority ?? DEFAULT_MAJORITY;
    const options = this.#options.map(({ id, name, number }) => {
      const [yes, no, abstain] = this.#counts[this.#numbers.indexOf(number)]!;
      return { id, name, yes, no, abstain };
    });
    const base = { yes_no: undefined, ...whole }[majority.of];
    const carried = options.filter(({ yes, no }) => reaches(majority.share, yes, base ?? yes + no));
    const passed = new Set(carried.map(({ id }) => id));
    const filling = {
      seats: this.#settings.seats ?? options.length,
      ids: options.map(({ id }) => id),
      order: groupByVotes(options.map(({ id, yes }) => ({ id, votes: yes }))),
      passes: (id: string) => passed.has(id),
      orders,
      byLot: this.#settings.lot === 'drawn',
    };
    return {
      method: 'majority',
      variant: 'yes or no to each',
      options,
      majority,
      ...(base !== undefined && { base, needed: needed(majority.share, base) }),
      ...fillSeats(filling, whole.valid),
    };
  }
}
