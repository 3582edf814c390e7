// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import { BLANK, withoutOptions } from './choice.ts';
import type { LotOrder } from './lots.ts';
import { needed, reaches } from './share.ts';
import type { BaseResult, ChoiceTally, Tally, TallySettings, Whole } from './tally.ts';

/** Counts what is the same for every type of ballot: blank ballots, and whether there are enough ballots. */
export class ElectionTally<Result extends BaseResult> implements Tally<Result> {
  ballots = 0;
  #blank = 0;
  readonly #choices: ChoiceTally<Result>;
  readonly #settings: TallySettings;
  readonly #withdrawn: ReadonlySet<number>;

  /** @param withdrawn the numbers of the options that are taken off all ballots; `choices` does not know them */
  constructor(
    choices: ChoiceTally<Result>,
    settings: TallySettings,
    withdrawn: ReadonlySet<number> = new Set(),
  ) {
    this.#choices = choices;
    this.#settings = settings;
    this.#withdrawn = withdrawn;
  }

  add(choiceText: string, count = 1): void {
    const choice = this.#withdrawn.size === 0 ? choiceText : withoutOptions(choiceText, this.#withdrawn);
    if (choice === BLANK) this.#blank += count;
    else this.#choices.add(choice, count);
    this.ballots += count;
  }

  result(orders?: readonly LotOrder[]): Result {
    const whole = this.#whole();
    return this.#complete(whole, this.#choices.result(whole, orders));
  }

  *inTurns(orders?: readonly LotOrder[]): Generator<void, Result> {
    const whole = this.#whole();
    const counted = this.#choices.inTurns
      ? yield* this.#choices.inTurns(whole, orders)
      : this.#choices.result(whole, orders);
    return this.#complete(whole, counted);
  }

  #whole(): Whole {
    const { electors = 0, present = 0 } = this.#settings;
    const { valid } = validityOf(this.#settings, this.ballots);
    return { ballots: this.ballots, blank: this.#blank, valid, electors, present };
  }

  #complete({ blank }: Whole, counted: Omit<Result, keyof BaseResult>): Result {
    const { valid, ...quorum } = validityOf(this.#settings, this.ballots);
    return { ...counted, ...quorum, blank, valid } as Result;
  }
}

/** Whether there are enough votes for a result to count, in whichever way they were given. */
export function validityOf(
  { quorum, quorum_share, electors = 0, quorate = true }: TallySettings,
  votes: number,
): Omit<BaseResult, 'blank'> {
  const asked = quorum_share
    ? {
        quorum: needed(quorum_share, electors),
        quorum_met: reaches(quorum_share, votes, electors),
        quorum_share,
      }
    : { quorum, quorum_met: quorum === null ? null : votes >= quorum };
  return { ...asked, valid: quorate && asked.quorum_met !== false };
}
