import type { BallotType } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Choices, handlingOf, isLeftBlank, type LeftBlank } from '#voting/ballots/ballot-types.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { filledValue, formLength } from './ballots/equal-length.ts';
import type { BallotView } from './types/ballot-view.ts';
import { poll } from './types/poll.ts';
import { rankedCondorcet } from './types/ranked-condorcet.ts';
import { rankedStv } from './types/ranked-stv.ts';
import { simpleTriple } from './types/simple-triple.ts';
import { yesNoEach } from './types/yes-no-each.ts';
import { BLANK_WORDS, quorumSentence } from './words.ts';

const VIEWS: { readonly [Type in BallotType]: BallotView<Type> } = {
  SIMPLE_TRIPLE: simpleTriple,
  RANKED_CONDORCET: rankedCondorcet,
  POLL: poll,
  RANKED_STV: rankedStv,
  YES_NO_EACH: yesNoEach,
};

/** A choice on the review page. */
export const choiceInWords = <Type extends BallotType>(
  type: Type,
  choice: Choices[Type] | LeftBlank,
): Html =>
  isLeftBlank(choice)
    ? html`<h2>${t('voting.ballot_types.abstain')}</h2><p class="said">${BLANK_WORDS}</p>`
    : viewOf(type).choiceInWords(choice);

/**
 * The value of the button that leaves a ballot blank, as long as the shortest choice in a form; undefined where there
 * is no such button.
 */
export function blankValue(election: ElectionJson): string | undefined {
  const { ballot_type, settings } = election;
  if (!settings.allow_blank || viewOf(ballot_type).abstains) return undefined;
  const { longestChoices, choiceFields } = handlingOf(ballot_type);
  const choices = longestChoices(election).filter((choice) => !isLeftBlank(choice));
  const length = Math.min(...choices.map((choice) => formLength(choiceFields(choice))));
  return filledValue('true', length - formLength({ blank: '' }));
}

/** The bytes of the longest choice in a form. @param prefix of the names of its fields */
export function choiceLength(election: ElectionJson, prefix = ''): number {
  const { longestChoices, choiceFields } = handlingOf(election.ballot_type);
  const lengths = longestChoices(election).map((choice) => {
    const fields = Object.entries(choiceFields(choice));
    return formLength(Object.fromEntries(fields.map(([name, value]) => [`${prefix}${name}`, value])));
  });
  return Math.max(...lengths);
}

/** What a voter is asked to do, in a line. */
export function askedOf(
  election: Pick<ElectionJson, 'ballot_type' | 'settings' | 'candidates' | 'options'>,
): Words {
  const { asked, abstains } = viewOf(election.ballot_type);
  const said = asked(election);
  return election.settings.allow_blank && !abstains
    ? (sentences([said, t('voting.ballot_types.also_abstain')]) ?? said)
    : said;
}

/** The rules that decide an election, in sentences for its voters. */
export function ruleSentences({
  ballot_type,
  settings,
}: Pick<ElectionJson, 'ballot_type' | 'settings'>): Words[] {
  const quorum = quorumSentence(settings);
  return [
    ...(viewOf(ballot_type).rules?.(settings) ?? []),
    ...(settings.lot === 'drawn' ? [t('voting.ballot_types.chair_draws_lot_where_votes')] : []),
    ...(quorum === null ? [] : [quorum]),
  ];
}

/** The words and pages of a type of ballot. */
export const viewOf = <Type extends BallotType>(type: Type): BallotView<Type> => VIEWS[type];
