import { html } from '#kernel/html.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { count } from '#views/components/numbers.ts';
import { definitionList } from '#views/components/structure.ts';
import { ballotFrame } from '#views/voting/ballot-frame.ts';
import { bars } from '#views/voting/bars.ts';
import { filledValue } from '#views/voting/equal-length.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import { readSimpleChoice, SIMPLE_CHOICES, type SimpleChoice } from '#voting/shared/choice.ts';
import type { BallotView } from './ballot-view.ts';

const NOTES: { [Choice in SimpleChoice]?: string } = { abstain: 'Counts as taking part, on neither side.' };

const LONGEST = Math.max(...SIMPLE_CHOICES.map((value) => value.length));

const ASKED = 'How do you vote?';

export const simpleTriple: BallotView<'SIMPLE_TRIPLE'> = {
  name: 'Yes or no',
  how: 'Voters answer yes or no, or abstain. It passes with more yes than no.',
  when: 'For a motion, a budget, a change of the rules.',
  asked: () => 'You answer yes or no, or abstain.',
  preview: () => ({
    asked: ASKED,
    choices: html`<div class="choices">${SIMPLE_CHOICES.map((value) =>
      choice({ type: 'radio', name: 'preview', value: '', label: CHOICE_WORDS[value] }),
    )}</div>`,
  }),
  ballotPage(props) {
    const rows = SIMPLE_CHOICES.map((value, index) =>
      choice({
        type: 'radio',
        name: 'choice',
        id: `choice-${index + 1}`,
        value: filledValue(value, LONGEST),
        label: CHOICE_WORDS[value],
        note: NOTES[value],
        checked: readSimpleChoice(props.entry) === value,
      }),
    );
    return ballotFrame(props, {
      ask: null,
      choices: choiceGroup({ name: 'choice', label: ASKED, error: props.errors?.[0]?.message, rows }),
      idOf: () => 'choice-1',
    });
  },
  choiceInWords: (chosen) => html`<h2>You vote</h2><p class="said">${CHOICE_WORDS[chosen]}</p>`,

  namesIn: () => [],
  outcome({ yes, no, outcome }, _ballots, final) {
    if (outcome === 'tied')
      return `${final ? 'Not carried (tie)' : 'Tied'}: ${
        yes === 0 ? 'everyone abstained' : `${count(yes)} yes to ${count(no)} no`
      }.`;
    if (!final) return `${count(yes)} yes to ${count(no)} no.`;
    return outcome === 'passed'
      ? `Passed: ${count(yes)} yes to ${count(no)} no.`
      : `Not passed: ${count(no)} no to ${count(yes)} yes.`;
  },
  counts: ({ yes, no, abstain }) => [yes, no, abstain],
  parts({ yes, no, abstain, outcome }, { ballots }) {
    const picture = bars({
      label: 'Votes',
      whole: ballots,
      bars: [
        { label: 'Yes', value: yes, strong: outcome === 'passed' },
        { label: 'No', value: no, strong: outcome === 'failed' },
        { label: 'Abstain', value: abstain },
      ],
    });
    const counts = definitionList([
      ['Yes', count(yes)],
      ['No', count(no)],
      ['Abstain', count(abstain)],
      ['Ballots', count(ballots)],
    ]);
    const method = html`<p>It passes when more ballots say yes than no, and fails when more say no. Equal
  numbers are a tie. Abstentions count towards the turnout, not towards the outcome.</p>`;
    return {
      picture,
      details: [
        ['The counts', counts],
        ['How it was counted', method],
      ],
    };
  },
  wallBars: ({ yes, no, abstain, outcome }, whole) => ({
    title: null,
    bars: [
      { label: 'Yes', votes: yes, leads: outcome === 'passed' },
      { label: 'No', votes: no, leads: outcome === 'failed' },
      { label: 'Abstain', votes: abstain, leads: false },
    ],
    whole,
  }),
  recounted: { winner: 'Outcome', figures: 'All figures' },
};
