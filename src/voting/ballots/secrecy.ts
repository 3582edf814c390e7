import { untilStored } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { readElectorate } from '#voting/elections/electorate.ts';
import { countBallots } from '#voting/elections/turnout.ts';
import { LISTED_FROM, listedFrom } from '#voting/shared/ballot-file.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import { FEW, hasFewTokens } from './tokens.ts';

/** The settings of an election that its voters are told about secrecy. */
export type SecrecySettings = Pick<
  ElectionSettings,
  'receipts' | 'publish_ballots' | 'hide_results_until_close'
>;

/** What decides what pages and mails say about the secrecy of an election or a ballot paper. */
export interface Secrecy {
  election: { settings: SecrecySettings; candidates?: readonly unknown[] };
  /** Whether fewer than five people can vote; undefined where nobody can know it yet. */
  few: boolean | undefined;
}

type Counted = Pick<Context, 'db' | 'cache' | 'changes'>;

/** Whether fewer than five can vote on an open question of a meeting: there, cards of the pile are nobody’s. */
const hasFewPresent = untilStored((db, id) => {
  // Known without the door as soon as so many have voted.
  if (countBallots(db, id) >= FEW) return false;
  const { present = 0 } = readElectorate(db, { id });
  return present > 0 && present < FEW;
});

/** Whether fewer than five codes were issued to an election or a paper. */
const hasFewCodes = untilStored(hasFewTokens);

/** Whether so few can vote that the result alone can show how each of them voted. */
export const hasFewVoters = (ctx: Counted, electionId: string): boolean =>
  hasFewCodes(ctx, electionId) || hasFewPresent(ctx, electionId);

/** What is said about the secrecy of a ballot paper: what is true of any of its questions. */
export function secrecyOfPaper(
  ctx: Counted,
  paperId: string,
  questions: readonly { id: string; settings: SecrecySettings; candidates?: readonly unknown[] }[],
) {
  const settings = questions.map((question) => question.settings);
  const receipts = (['content', 'included'] as const).find((kind) =>
    settings.some((one) => one.receipts === kind),
  );
  const listed = questions.map(({ settings: { publish_ballots }, candidates = [] }) =>
    listedFrom(publish_ballots, candidates.length),
  );
  return {
    election: {
      candidates: questions.flatMap(({ candidates = [] }) => candidates),
      settings: {
        receipts: receipts ?? ('off' as const),
        publish_ballots:
          listed.includes(LISTED_FROM) || (listed.some((from) => from !== undefined) ? null : false),
        hide_results_until_close: settings.every((one) => one.hide_results_until_close),
      },
    },
    few: hasFewCodes(ctx, paperId) || questions.some(({ id }) => hasFewPresent(ctx, id)),
  };
}
