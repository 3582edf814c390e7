import { html } from '#kernel/html.ts';
import { firstError } from '#views/components/entered.ts';
import { choice, errorText } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import { count, counted } from '#views/components/numbers.ts';
import { table } from '#views/components/tables.ts';
import { aboutOption } from '#views/voting/ballots/about-options.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import { filledValue } from '#views/voting/ballots/equal-length.ts';
import { bars } from '#views/voting/bars.ts';
import { majorityFields } from '#views/voting/rule-fields.ts';
import { maxYesField, seatsField } from '#views/voting/seat-fields.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { SIMPLE_CHOICES } from '#voting/shared/choice.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import {
  BASE_WORDS,
  DEFAULT_MAJORITY,
  type Majority,
  shareOfWords,
  shareWords,
} from '#voting/shared/share.ts';
import type { EachResult } from '#voting/shared/yes-no-each.ts';
import { type BallotPageProps, type BallotView, byVotes } from './ballot-view.ts';
import { eachTable, lotsForSeats } from './figure-tables.ts';
import { electedSentence, LEVEL_WORDS, openSeatsText, seatBadge, seatsRule } from './seats.ts';

type Entry = Readonly<Record<string, string>>;

const LONGEST = Math.max(...SIMPLE_CHOICES.map((value) => value.length));

const OPEN_ROW = 'A row that you leave open is an abstention.';

/** `Say yes or no to each of 6, or abstain`. */
const asked = (names: number): string =>
  names === 1 ? 'Say yes or no, or abstain' : `Say yes or no to each of ${count(names)}, or abstain`;

function rulesOf({
  seats,
  max_yes,
  majority,
}: Pick<ElectionSettings, 'seats' | 'max_yes' | 'majority'>): string[] {
  return [
    ...(max_yes === null ? [] : [`A ballot has at most ${count(max_yes)} Yes.`]),
    ...(seats === null ? [] : [seatsRule(seats)]),
    neededBy('Each', majority ?? DEFAULT_MAJORITY),
  ];
}

export const yesNoEach: BallotView<'YES_NO_EACH'> = {
  name: 'Yes or no to each',
  how: 'Voters answer yes or no to each name, or abstain. Each needs the majority; with fewer seats than names, most Yes first.',
  when: 'For offices with one candidate each, a list, or the discharge of each member of the board.',
  fields: [seatsField, majorityFields, maxYesField],
  rules: rulesOf,
  asked: ({ options = [] }) => `You ${asked(options.length).replace('Say', 'say')}.`,
  preview: (names) => ({
    asked: asked(names.length),
    hint: OPEN_ROW,
    choices: html`<div class="answers">${names.map(
      (name, row) =>
        html`<fieldset class="answer"><legend>${name}</legend><div class="choices">${SIMPLE_CHOICES.map(
          (value) => choice({ type: 'radio', name: `preview-${row}`, value: '', label: CHOICE_WORDS[value] }),
        )}</div></fieldset>`,
    )}</div>`,
  }),
  ballotPage(props) {
    const { options, errors = [] } = props;
    const [first] = options;
    const error = firstError(errors);
    return ballotFrame(props, {
      ask: html`<h2 class="ballot-ask" id="answers-heading">${asked(options.length)}</h2>
<p class="hint">${OPEN_ROW}</p>
${errorText('answers', error)}`,
      choices: html`<div class="answers" role="group" aria-labelledby="answers-heading"${
        error && html` aria-describedby="answers-error"`
      }>${options.map((option) => answerRow(option, props))}</div>`,
      idOf: () => (first ? `answers.${first.id}` : 'answers-heading'),
    });
  },
  choiceInWords: (answers) => html`<h2>You vote</h2>
<ul class="said-each" role="list">${answers.map(
    ({ name, answer }) => html`<li>${nameText(name)} <strong>${CHOICE_WORDS[answer]}</strong></li>`,
  )}</ul>`,

  namesIn: ({ options }) => options.map(({ name }) => name),
  outcome: (result, _ballots, final) => electedSentence(result, standingsOf(result), final),
  counts: ({ options }) => options.flatMap(({ yes, no, abstain }) => [yes, no, abstain]),
  parts(result, { ballots, decided }) {
    const { options, winners } = result;
    const picture = html`${bars({
      label: 'Yes',
      whole: ballots,
      shares: false,
      bars: options.map(({ id, name, yes, no, abstain }) => ({
        label: nameText(name),
        value: yes,
        strong: winners.includes(id),
        note: html`${seatBadge(result, id, decided)} <span class="bar-note">${[
          `${count(yes)} yes`,
          `${count(no)} no`,
          ...(abstain > 0 ? [`${count(abstain)} abstained`] : []),
        ].join(', ')}</span>`,
      })),
    })}${openSeatsText(result, standingsOf(result), decided)}<p>${needsSentence(result)}</p>`;
    const counts = table({
      caption: 'Answers to each',
      quietCaption: true,
      columns: [
        { label: 'Name' },
        { label: 'Yes', number: true },
        { label: 'No', number: true },
        { label: 'Abstain', number: true },
      ],
      rows: options.map(({ name, yes, no, abstain }) => [
        nameText(name),
        count(yes),
        count(no),
        count(abstain),
      ]),
    });
    const method = html`<p>Each ballot answers yes or no to each name, or abstains; a name without an answer is an
    abstention. Of those who reach the majority the ones with the most Yes are elected, up to the number of seats. ${LEVEL_WORDS}</p>`;
    return {
      picture,
      details: [
        ['The counts', counts],
        ['How it was counted', method],
      ],
    };
  },
  wallBars: ({ options, winners }, whole) => ({
    title: 'Yes to each',
    bars: byVotes(
      options.map(({ id, name: label, yes: votes }) => ({ label, votes, leads: winners.includes(id) })),
    ),
    whole,
  }),
  figureTables: eachTable,
  tiesInWords: (result) => lotsForSeats(result, result.options),
  recounted: { winner: 'Elected', figures: 'All figures' },
};

const standingsOf = ({ options }: EachResult) =>
  options.map(({ id, name, yes: votes }) => ({ id, name, votes }));

/** The answers to one option, in a row. */
function answerRow(option: OptionJson, { entry }: BallotPageProps<Entry>) {
  const { id, name } = option;
  const rows = SIMPLE_CHOICES.map((value, index) =>
    choice({
      type: 'radio',
      name: `answers.${id}`,
      id: `answers.${id}${index === 0 ? '' : `-${index + 1}`}`,
      value: filledValue(value, LONGEST),
      label: CHOICE_WORDS[value],
      checked: entry[id] === value,
    }),
  );
  return html`<fieldset class="answer"><legend>${nameText(name)}</legend>
<div class="choices">${rows}</div>${aboutOption(option)}</fieldset>
`;
}

/** The same with the number, where it is one for all. */
function needsSentence({ majority, base, needed, seats, options }: EachResult): string {
  const one = seats === 1 && options.length === 1 ? 'It' : 'Each';
  return base === undefined || needed === undefined
    ? neededBy(one, majority)
    : `${one} needs ${counted(needed, 'Yes', 'Yes')}: ${shareOfWords(majority)} (${count(base)}).`;
}

/** `Each needs more than half of its yes and no.` */
const neededBy = (one: string, { share, of }: Majority): string =>
  `${one} needs ${shareWords(share)} of ${of === 'yes_no' ? 'its ' : ''}${BASE_WORDS[of]}.`;
