// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import { drawFrom, type LotOrder } from './lots.ts';
import { groupByVotes, type NextVote, nextVote } from './seats.ts';
import {
  type DrawLot,
  formatVotes,
  nonTransferable,
  type StvCount,
  StvCounter,
  type StvStage,
  type StvTie,
} from './stv.ts';
import type { BaseResult, ChoiceTally, TallyOption, TallySettings, Whole } from './tally.ts';

/** Votes are texts with five decimals: "12.34567". Candidates are named by their ids. */
export interface StvResult extends BaseResult {
  method: 'STV';
  variant: 'Scottish';
  /** In display order. */
  candidates: { id: string; name: string }[];
  seats: number;
  /** Papers with a preference for a candidate. */
  valid_papers: number;
  /** Whether all papers are the same, so that the result shows each vote. */
  unanimous: boolean;
  /** Null where nothing was counted. */
  quota: number | null;
  /** Not more candidates than seats: all are elected without a count. */
  uncontested: boolean;
  stages: StvStageJson[];
  /**
   * In the order of their election. Those of one stage: most votes first. Nobody without ballots or without the
   * quorum.
   */
  elected: string[];
  ties: StvTieJson[];
  /** The candidates between whom a lot must be drawn before the count can go on. */
  awaiting_lot?: string[];
  /** The seats that nobody has; absent while a lot is awaited. */
  open_seats?: number;
  /** Absent when all seats are filled. */
  next?: NextVote;
}

export interface StvStageJson {
  action: StvStage['action'];
  candidate: string | null;
  /** Of every candidate, at the end of the stage. */
  votes: Record<string, string>;
  non_transferable: string;
  /** Those elected at its end, with the quota or because no other candidate was left. */
  elected: string[];
  excluded: string[];
}

export interface StvTieJson {
  /** The number of the stage that it decided; the first is 1. */
  stage: number;
  candidates: string[];
  /** Whether an earlier stage at which they differed decided, or a lot. */
  by: 'stage' | 'lot';
  /** Who was transferred or excluded. */
  taken: string;
  /** Those of the candidates who were equal at every earlier stage; only with a lot. */
  lot_among?: string[];
  /** Whether the same persons are elected whoever of these is taken; absent if that was not found out. */
  same_elected?: boolean;
}

type Counted = Omit<StvResult, keyof BaseResult>;

/** How much may be counted again to find out whether lots matter: papers, and votes of stages. */
const RECOUNTED_AT_MOST = 3_000_000;

/** Without `seats` there is one. */
type StvSettings = Pick<TallySettings, 'seats'>;

/**
 * Counts rankings of at least one candidate, best first, `[3,1,2]`, by the single transferable vote, see stv.ts. Lots
 * are decided by orders, see lots.ts.
 */
export class StvTally implements ChoiceTally<StvResult> {
  readonly #candidates: readonly TallyOption[];
  readonly #settings: StvSettings;
  readonly #counter: StvCounter;

  constructor(candidates: readonly TallyOption[], settings: StvSettings) {
    this.#candidates = candidates;
    this.#settings = settings;
    this.#counter = new StvCounter(candidates.map(({ number }) => number));
  }

  add(choiceText: string, count = 1): void {
    this.#counter.add(choiceText, count);
  }

  result(whole: Whole, orders: readonly LotOrder[] = []): Counted {
    const work = this.inTurns(whole, orders);
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
    }
  }

  /** Computes the result; yields about every millisecond. */
  *inTurns({ valid }: Whole, orders: readonly LotOrder[] = []): Generator<void, Counted> {
    const { ballots } = this.#counter;
    const candidates = this.#candidates.map(({ id, name }) => ({ id, name }));
    const seats = this.#settings.seats ?? 1;
    const uncontested = candidates.length <= seats;
    const none = { quota: null, stages: [], elected: [], ties: [] };
    const all = { ...none, elected: ballots === 0 ? [] : this.#ids(candidates.map((_, place) => place)) };
    const { awaiting, ...counted } = uncontested
      ? { ...all, awaiting: undefined }
      : ballots === 0
        ? { ...none, awaiting: undefined }
        : yield* this.#counted(seats, orders);
    // The stages say whom the votes are for.
    const elected = valid ? counted.elected : [];
    const result: Counted = {
      method: 'STV',
      variant: 'Scottish',
      candidates,
      seats,
      valid_papers: ballots,
      unanimous: this.#counter.unanimous,
      uncontested,
      ...counted,
      elected,
      // Without the quorum nobody is elected, whatever a lot would say.
      ...(awaiting && valid && { awaiting_lot: this.#ids(awaiting) }),
    };
    return { ...result, ...openSeats(result) };
  }

  *#counted(seats: number, orders: readonly LotOrder[]) {
    const draw: DrawLot = (tied) => {
      const [first] = drawFrom(orders, this.#ids(tied)) ?? [];
      return first === undefined ? undefined : tied.find((place) => this.#idAt(place) === first);
    };
    const count = yield* this.#counter.count(seats, draw);
    const { quota, stages, elected, awaiting } = count;
    return {
      quota,
      stages: stages.map((stage) => this.#stageJson(stage)),
      elected: this.#ids(elected),
      ties: yield* this.#tiesJson(count, seats, draw),
      awaiting,
    };
  }

  #stageJson({ action, candidate, votes, elected }: StvStage): StvStageJson {
    return {
      action,
      candidate: candidate === null ? null : this.#idAt(candidate),
      votes: Object.fromEntries([...votes].map((each, place) => [this.#idAt(place), formatVotes(each)])),
      non_transferable: formatVotes(nonTransferable(this.#counter.ballots, votes)),
      elected: this.#ids(elected),
      excluded: action === 'exclude' ? [this.#idAt(candidate!)] : [],
    };
  }

  *#tiesJson(count: StvCount, seats: number, draw: DrawLot): Generator<void, StvTieJson[]> {
    const others = count.ties.reduce((sum, { equal }) => sum + equal.length - 1, 0);
    const work = others * (this.#counter.different + this.#candidates.length ** 2);
    const recounts = count.awaiting === undefined && work <= RECOUNTED_AT_MOST;
    const ties: StvTieJson[] = [];
    for (const { stage, candidates, equal, taken } of count.ties) {
      const tie = { stage, candidates: this.#ids(candidates), taken: this.#idAt(taken) };
      if (equal.length === 1) {
        ties.push({ ...tie, by: 'stage' });
        continue;
      }
      const same = recounts
        ? yield* this.#electsSame(count, { stage, equal, taken }, seats, draw)
        : undefined;
      ties.push({
        ...tie,
        by: 'lot',
        lot_among: this.#ids(equal),
        ...(same !== undefined && { same_elected: same }),
      });
    }
    return ties;
  }

  /** Counts again with each other candidate of a lot taken; undefined if such a count would need a lot to be drawn. */
  *#electsSame(
    { elected }: StvCount,
    { stage, equal, taken }: Pick<StvTie, 'stage' | 'equal' | 'taken'>,
    seats: number,
    draw: DrawLot,
  ): Generator<void, boolean | undefined> {
    for (const other of equal) {
      if (other === taken) continue;
      const instead: DrawLot = (tied, at) => (at === stage ? other : draw(tied, at));
      const recount = yield* this.#counter.count(seats, instead);
      if (recount.awaiting) return undefined;
      if (elected.some((place) => !recount.elected.includes(place))) return false;
    }
    return true;
  }

  #idAt(place: number): string {
    return this.#candidates[place]!.id;
  }

  #ids(places: readonly number[]): string[] {
    return places.map((place) => this.#idAt(place));
  }
}

/** The seats that stay open, and those whom a further vote can be about: for one seat those who were longest in the count. */
export function openSeats({
  awaiting_lot,
  seats,
  elected,
  candidates,
  stages,
}: Counted): Pick<StvResult, 'open_seats' | 'next'> {
  if (awaiting_lot) return {};
  const open_seats = seats - elected.length;
  if (open_seats === 0) return { open_seats };
  // Those who stayed in the count, by their votes at its end; then the excluded, the last one first.
  const last = stages[stages.length - 1];
  const excluded = stages.flatMap((stage) => stage.excluded);
  const stayed = candidates.filter(({ id }) => !excluded.includes(id));
  const order = [
    ...groupByVotes(stayed.map(({ id }) => ({ id, votes: Number(last?.votes[id] ?? 0) }))),
    ...excluded.reverse().map((id) => [id]),
  ];
  return { open_seats, next: nextVote({ seats, ids: candidates.map(({ id }) => id), order }, elected) };
}
