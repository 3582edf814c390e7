import { html } from '#kernel/html.ts';
import { firstError } from '#views/components/entered.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { count } from '#views/components/numbers.ts';
import { definitionList } from '#views/components/structure.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import { filledValue } from '#views/voting/ballots/equal-length.ts';
import { bars } from '#views/voting/bars.ts';
import { majorityFields } from '#views/voting/rule-fields.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import { readSimpleChoice, SIMPLE_CHOICES, type SimpleChoice } from '#voting/shared/choice.ts';
import {
  DEFAULT_MAJORITY,
  isDefaultMajority,
  type Majority,
  shareOfWords,
  shareWords,
} from '#voting/shared/share.ts';
import type { SimpleResult } from '#voting/shared/tally.ts';
import type { BallotView } from './ballot-view.ts';

const NOTES: { [Choice in SimpleChoice]?: string } = { abstain: 'Counts as taking part, on neither side.' };

const LONGEST = Math.max(...SIMPLE_CHOICES.map((value) => value.length));

const ASKED = 'How do you vote?';

/** Where a ballot can be left blank, its abstention is said as on every other ballot. */
const labelOf = (value: SimpleChoice, allowBlank = false): string =>
  value === 'abstain' && allowBlank ? 'I abstain' : CHOICE_WORDS[value];

export const simpleTriple: BallotView<'SIMPLE_TRIPLE'> = {
  name: 'Yes or no',
  how: 'Voters answer yes or no, or abstain. It passes with more yes than no.',
  when: 'For a motion, a budget, a change of the rules.',
  asked: () => 'You answer yes or no, or abstain.',
  abstains: true,
  fields: [majorityFields],
  rules: ({ majority }) => [majoritySentence(majority ?? DEFAULT_MAJORITY)],
  preview: (_names, { allow_blank }) => ({
    asked: ASKED,
    choices: html`<div class="choices">${SIMPLE_CHOICES.map((value) =>
      choice({ type: 'radio', name: 'preview', value: '', label: labelOf(value, allow_blank) }),
    )}</div>`,
  }),
  ballotPage(props) {
    const rows = SIMPLE_CHOICES.map((value, index) =>
      choice({
        type: 'radio',
        name: 'choice',
        id: `choice-${index + 1}`,
        value: filledValue(value, LONGEST),
        label: labelOf(value, props.election.settings.allow_blank),
        note: NOTES[value],
        checked: readSimpleChoice(props.entry) === value,
      }),
    );
    return ballotFrame(props, {
      ask: null,
      choices: choiceGroup({ name: 'choice', label: ASKED, error: firstError(props.errors ?? []), rows }),
      idOf: () => 'choice-1',
    });
  },
  choiceInWords: (chosen) => html`<h2>You vote</h2><p class="said">${CHOICE_WORDS[chosen]}</p>`,

  namesIn: () => [],
  outcome(result, _ballots, final) {
    if (!isDefaultMajority(result.majority)) return ruledOutcome(result, final);
    const { yes, no, outcome } = result;
    if (outcome === 'tied')
      return `${final ? 'Not carried (tie)' : 'Tied'}: ${
        yes === 0 ? 'everyone abstained' : `${count(yes)} yes to ${count(no)} no`
      }.`;
    if (!final) return `${count(yes)} yes to ${count(no)} no.`;
    return outcome === 'passed'
      ? `Carried: ${count(yes)} yes to ${count(no)} no.`
      : `Not carried: ${count(no)} no to ${count(yes)} yes.`;
  },
  counts: ({ yes, no, abstain }) => [yes, no, abstain],
  parts({ yes, no, abstain, blank, outcome, majority, base, needed, valid }, { ballots }) {
    const picture = bars({
      label: 'Votes',
      whole: wholeOf({ majority, base }, ballots + blank),
      bars: [
        { label: 'Yes', value: yes, strong: outcome === 'passed' && valid },
        { label: 'No', value: no, strong: outcome === 'failed' && valid && no > yes },
        { label: 'Abstain', value: abstain },
      ],
    });
    const isDefault = isDefaultMajority(majority);
    const counts = definitionList([
      ['Yes', count(yes)],
      ['No', count(no)],
      ['Abstain', count(abstain)],
      ...(blank > 0 ? [['Blank', count(blank)] as const] : []),
      ['Ballots', count(ballots + blank)],
      ...(isDefault ? [] : [['Yes needed', `${count(needed)} of ${baseCount(majority, base)}`] as const]),
    ]);
    const method = isDefault
      ? html`<p>It passes when more ballots say yes than no, and fails when more say no. Equal
  numbers are a tie. Abstentions count towards the turnout, not towards the outcome.</p>`
      : html`<p>${majoritySentence(majority)}</p>`;
    return {
      picture,
      details: [
        ['The counts', counts],
        ['How it was counted', method],
      ],
    };
  },
  wallBars: ({ yes, no, abstain, blank, outcome, valid, majority, base }, ballots) => ({
    title: null,
    bars: [
      { label: 'Yes', votes: yes, leads: outcome === 'passed' && valid },
      { label: 'No', votes: no, leads: outcome === 'failed' && valid && no > yes },
      { label: 'Abstain', votes: abstain, leads: false },
    ],
    whole: wholeOf({ majority, base }, ballots + blank),
  }),
  figureTables: () => [],
  votesInWords: ({ yes, no, abstain, blank }) => [
    `yes ${count(yes)}`,
    `no ${count(no)}`,
    `abstentions ${count(abstain)}`,
    ...(blank > 0 ? [`blank ${count(blank)}`] : []),
  ],
  recounted: { winner: 'Outcome', figures: 'All figures' },
};

/** What the bars are shares of: what the majority is a share of, but for yes and no, beside which abstentions stand. */
const wholeOf = (
  { majority: { of }, base }: Pick<SimpleResult, 'majority' | 'base'>,
  ballots: number,
): number => (of === 'yes_no' ? ballots : Math.max(base, ballots));

/** `107 votes`, `120 electors`: what a majority is a share of. */
const baseCount = ({ of }: Majority, base: number): string =>
  `${count(base)} ${BASE_UNITS[of][base === 1 ? 0 : 1]}`;

const BASE_UNITS: { readonly [Base in Majority['of']]: readonly [one: string, many: string] } = {
  yes_no: ['vote', 'votes'],
  ballots: ['ballot', 'ballots'],
  present: ['present', 'present'],
  electors: ['elector', 'electors'],
};

/** The outcome of a vote that the default majority does not decide: it says the rule. */
function ruledOutcome({ yes, no, majority, base, needed, carried }: SimpleResult, final: boolean): string {
  const rule = shareOfWords(majority);
  const verdict = carried ? 'Carried' : 'Not carried';
  if (base === 0) {
    const said =
      yes + no > 0
        ? `${count(yes)} yes to ${count(no)} no, and nobody was counted for the share that it needs (${rule})`
        : 'everyone abstained';
    return final ? `${verdict}: ${said}.` : `${said}.`;
  }
  const votes = `${count(yes)} of ${baseCount(majority, base)}`;
  if (!final) return `${votes}, ${count(needed)} needed (${rule}).`;
  return `${verdict}: ${votes}, ${count(needed)} ${needed === 1 ? 'was' : 'were'} needed (${rule}).`;
}

/** When a motion is carried, in a sentence. */
function majoritySentence(majority: Majority): string {
  if (isDefaultMajority(majority)) return 'Carried with more yes than no. Abstentions do not count.';
  const [who, others] = VOTERS[majority.of];
  return `Carried if ${shareWords(majority.share)} of ${who} vote yes. ${others}`;
}

const VOTERS: { readonly [Base in Majority['of']]: readonly [who: string, others: string] } = {
  yes_no: ['those who vote yes or no', 'Abstentions do not count.'],
  ballots: ['all who take part', 'An abstention works like a no.'],
  present: ['all who are present', 'An abstention works like a no, and so does not voting.'],
  electors: ['all electors', 'An abstention works like a no, and so does not voting.'],
};
