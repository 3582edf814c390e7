import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { firstError } from '#views/components/entered.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { definitionList } from '#views/components/structure.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import { filledValue } from '#views/voting/ballots/equal-length.ts';
import { bars } from '#views/voting/bars.ts';
import { majorityFields } from '#views/voting/rule-fields.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import { shareOfWords, shareValues } from '#voting/share-words.ts';
import { readSimpleChoice, SIMPLE_CHOICES, type SimpleChoice } from '#voting/shared/choice.ts';
import { DEFAULT_MAJORITY, isDefaultMajority, type Majority } from '#voting/shared/share.ts';
import type { SimpleResult } from '#voting/shared/tally.ts';
import type { BallotView } from './ballot-view.ts';

const NOTES: { [Choice in SimpleChoice]?: Words } = {
  abstain: t('voting.simple_triple.counts_taking_part_neither_side'),
};

const LONGEST = Math.max(...SIMPLE_CHOICES.map((value) => value.length));

const ASKED = t('voting.simple_triple.how_vote');

/** Where a ballot can be left blank, its abstention is said as on every other ballot. */
const labelOf = (value: SimpleChoice, allowBlank = false): Words =>
  value === 'abstain' && allowBlank ? t('voting.simple_triple.i_abstain') : CHOICE_WORDS[value];

export const simpleTriple: BallotView<'SIMPLE_TRIPLE'> = {
  name: t('voting-admin.simple_triple.yes'),
  how: t('voting-admin.simple_triple.voters_answer_yes_abstain_passes'),
  when: t('voting-admin.simple_triple.motion_budget_change_rules'),
  asked: () => t('voting.simple_triple.answer_yes_abstain'),
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
  choiceInWords: (chosen) =>
    html`<h2>${t('voting.simple_triple.vote')}</h2><p class="said">${CHOICE_WORDS[chosen]}</p>`,

  namesIn: () => [],
  outcome(result, _ballots, final) {
    if (!isDefaultMajority(result.majority)) return ruledOutcome(result, final);
    const { yes, no, outcome } = result;
    if (outcome === 'tied')
      return final
        ? yes === 0
          ? t('voting.simple_triple.carried_tie_everyone_abstained')
          : t('voting.simple_triple.carried_tie_yes', { yes, no })
        : yes === 0
          ? t('voting.simple_triple.tied_everyone_abstained')
          : t('voting.simple_triple.tied_yes', { yes, no });
    if (!final) return t('voting.simple_triple.yes_to_no', { yes, no });
    return outcome === 'passed'
      ? t('voting.simple_triple.carried', { yes, no })
      : t('voting.simple_triple.not_carried', { no, yes });
  },
  counts: ({ yes, no, abstain }) => [yes, no, abstain],
  parts({ yes, no, abstain, blank, outcome, majority, base, needed, valid }, { ballots }) {
    const picture = bars({
      label: t('voting.simple_triple.votes'),
      whole: wholeOf({ majority, base }, ballots + blank),
      bars: [
        { label: t('voting.simple_triple.yes'), value: yes, strong: outcome === 'passed' && valid },
        { label: t('voting.simple_triple.no'), value: no, strong: outcome === 'failed' && valid && no > yes },
        { label: t('voting.simple_triple.abstain'), value: abstain },
      ],
    });
    const isDefault = isDefaultMajority(majority);
    const counts = definitionList([
      [t('voting.simple_triple.yes'), count(yes)],
      [t('voting.simple_triple.no'), count(no)],
      [t('voting.simple_triple.abstain'), count(abstain)],
      ...(blank > 0 ? [[t('voting.simple_triple.blank'), count(blank)] as const] : []),
      [t('voting.simple_triple.ballots'), count(ballots + blank)],
      ...(isDefault
        ? []
        : [
            [
              t('voting.simple_triple.yes_needed'),
              t('voting.simple_triple.of', { needed, of: baseOf(majority), base }),
            ] as const,
          ]),
    ]);
    const method = isDefault
      ? html`<p>${t('voting.simple_triple.passes_when_more_ballots_say')}</p>`
      : html`<p>${majoritySentence(majority)}</p>`;
    return {
      picture,
      details: [
        [t('voting.simple_triple.counts'), counts],
        [t('voting.simple_triple.how_counted'), method],
      ],
    };
  },
  wallBars: ({ yes, no, abstain, blank, outcome, valid, majority, base }, ballots) => ({
    title: null,
    bars: [
      { label: t('voting.simple_triple.yes'), votes: yes, leads: outcome === 'passed' && valid },
      { label: t('voting.simple_triple.no'), votes: no, leads: outcome === 'failed' && valid && no > yes },
      { label: t('voting.simple_triple.abstain'), votes: abstain, leads: false },
    ],
    whole: wholeOf({ majority, base }, ballots + blank),
  }),
  figureTables: () => [],
  votesInWords: ({ yes, no, abstain, blank }) => [
    t('voting.simple_triple.votes_yes', { votes: yes }),
    t('voting.simple_triple.votes_no', { votes: no }),
    t('voting.simple_triple.votes_abstain', { votes: abstain }),
    ...(blank > 0 ? [t('voting.simple_triple.votes_blank', { votes: blank })] : []),
  ],
  recounted: { winner: t('voting.simple_triple.outcome'), figures: t('voting.simple_triple.all_figures') },
};

/** What the bars are shares of: what the majority is a share of, but for yes and no, beside which abstentions stand. */
const wholeOf = (
  { majority: { of }, base }: Pick<SimpleResult, 'majority' | 'base'>,
  ballots: number,
): number => (of === 'yes_no' ? ballots : Math.max(base, ballots));

/** The outcome of a vote that the default majority does not decide: it says the rule. */
function ruledOutcome({ yes, no, majority, base, needed, carried }: SimpleResult, final: boolean): Words {
  const rule = shareOfWords(majority);
  const verdict = carried ? 'yes' : 'other';
  if (base === 0) {
    if (yes + no > 0)
      return final
        ? t('voting.simple_triple.verdict_nobody_counted', { carried: verdict, yes, no, rule })
        : t('voting.simple_triple.nobody_counted', { yes, no, rule });
    return final
      ? t('voting.simple_triple.verdict_everyone_abstained', { carried: verdict })
      : t('voting.simple_triple.everyone_abstained');
  }
  const said = { yes, of: baseOf(majority), base, needed, rule };
  return final
    ? t('voting.simple_triple.verdict_needed', { carried: verdict, ...said })
    : t('voting.simple_triple.needed', said);
}

/** The name of the last one in the texts is `other`. */
const baseOf = ({ of }: Majority): 'other' | Exclude<Majority['of'], 'electors'> =>
  of === 'electors' ? 'other' : of;

/** When a motion is carried, in a sentence. */
function majoritySentence(majority: Majority): Words {
  if (isDefaultMajority(majority)) return t('voting.simple_triple.carried_more_yes_abstentions_count');
  const values = shareValues(majority.share);
  switch (majority.of) {
    case 'yes_no':
      return t('voting.simple_triple.carried_of_yes_no', values);
    case 'ballots':
      return t('voting.simple_triple.carried_of_ballots', values);
    case 'present':
      return t('voting.simple_triple.carried_of_present', values);
    case 'electors':
      return t('voting.simple_triple.carried_of_electors', values);
  }
}
