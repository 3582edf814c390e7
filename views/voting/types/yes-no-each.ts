import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { firstError } from '#views/components/entered.ts';
import { choice, errorText } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import { table } from '#views/components/tables.ts';
import { aboutOption } from '#views/voting/ballots/about-options.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import { filledValue } from '#views/voting/ballots/equal-length.ts';
import { bars } from '#views/voting/bars.ts';
import { majorityFields } from '#views/voting/rule-fields.ts';
import { maxYesField, seatsField } from '#views/voting/seat-fields.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { shareOfWords, shareValues } from '#voting/share-words.ts';
import { SIMPLE_CHOICES } from '#voting/shared/choice.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import { DEFAULT_MAJORITY, type Majority } from '#voting/shared/share.ts';
import type { EachResult } from '#voting/shared/yes-no-each.ts';
import { type BallotPageProps, type BallotView, byVotes } from './ballot-view.ts';
import { eachTable, lotsForSeats } from './figure-tables.ts';
import { electedSentence, LEVEL_WORDS, openSeatsText, seatBadge, seatsRule } from './seats.ts';

type Entry = Readonly<Record<string, string>>;

const LONGEST = Math.max(...SIMPLE_CHOICES.map((value) => value.length));

const OPEN_ROW = t('voting.yes_no_each.row_leave_open_abstention');

/** `Say yes or no to each of 6, or abstain`. */
const asked = (names: number): Words => t('voting.yes_no_each.say_yes_each_abstain', { names });

function rulesOf({
  seats,
  max_yes,
  majority,
}: Pick<ElectionSettings, 'seats' | 'max_yes' | 'majority'>): Words[] {
  return [
    ...(max_yes === null ? [] : [t('voting.yes_no_each.ballot_most_yes', { yes: max_yes })]),
    ...(seats === null ? [] : [seatsRule(seats)]),
    neededBy('each', majority ?? DEFAULT_MAJORITY),
  ];
}

export const yesNoEach: BallotView<'YES_NO_EACH'> = {
  name: t('voting-admin.yes_no_each.yes_each'),
  how: t('voting-admin.yes_no_each.voters_answer_yes_each_name'),
  when: t('voting-admin.yes_no_each.offices_candidate_each_list_discharge'),
  fields: [seatsField, majorityFields, maxYesField],
  rules: rulesOf,
  asked: ({ options = [] }) => t('voting.yes_no_each.you_say_yes_each_abstain', { names: options.length }),
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
  choiceInWords: (answers) => html`<h2>${t('voting.yes_no_each.vote')}</h2>
<ul class="said-each" role="list">${answers.map(
    ({ name, answer }) => html`<li>${nameText(name)} <strong>${CHOICE_WORDS[answer]}</strong></li>`,
  )}</ul>`,

  namesIn: ({ options }) => options.map(({ name }) => name),
  outcome: (result, _ballots, final) => electedSentence(result, standingsOf(result), final),
  counts: ({ options }) => options.flatMap(({ yes, no, abstain }) => [yes, no, abstain]),
  parts(result, { ballots, decided }) {
    const { options, winners } = result;
    const picture = html`${bars({
      label: t('voting.yes_no_each.yes'),
      whole: ballots,
      shares: false,
      bars: options.map(({ id, name, yes, no, abstain }) => ({
        label: nameText(name),
        value: yes,
        strong: winners.includes(id),
        note: html`${seatBadge(result, id, decided)} <span class="bar-note">${commas([
          t('voting.yes_no_each.votes_yes', { votes: yes }),
          t('voting.yes_no_each.votes_no', { votes: no }),
          abstain > 0 && t('voting.yes_no_each.abstained', { abstain }),
        ])}</span>`,
      })),
    })}${openSeatsText(result, standingsOf(result), decided)}<p>${needsSentence(result)}</p>`;
    const counts = table({
      caption: t('voting.yes_no_each.answers_each'),
      quietCaption: true,
      columns: [
        { label: t('voting.yes_no_each.name') },
        { label: t('voting.yes_no_each.yes'), number: true },
        { label: t('voting.yes_no_each.no'), number: true },
        { label: t('voting.yes_no_each.abstain'), number: true },
      ],
      rows: options.map(({ name, yes, no, abstain }) => [
        nameText(name),
        count(yes),
        count(no),
        count(abstain),
      ]),
    });
    const method = html`<p>${t('voting.yes_no_each.each_ballot_answers_yes_each')} ${LEVEL_WORDS}</p>`;
    return {
      picture,
      details: [
        [t('voting.yes_no_each.counts'), counts],
        [t('voting.yes_no_each.how_counted'), method],
      ],
    };
  },
  wallBars: ({ options, winners }, whole) => ({
    title: t('voting.yes_no_each.yes_each'),
    bars: byVotes(
      options.map(({ id, name: label, yes: votes }) => ({ label, votes, leads: winners.includes(id) })),
    ),
    whole,
  }),
  figureTables: eachTable,
  tiesInWords: (result) => lotsForSeats(result, result.options),
  recounted: { winner: t('voting.yes_no_each.elected'), figures: t('voting.yes_no_each.all_figures') },
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
function needsSentence({ majority, base, needed, seats, options }: EachResult): Words {
  const who = seats === 1 && options.length === 1 ? 'it' : 'each';
  if (base === undefined || needed === undefined) return neededBy(who, majority);
  const said = { needed, majority: shareOfWords(majority), base };
  return who === 'it'
    ? t('voting.yes_no_each.it_needs_yes', said)
    : t('voting.yes_no_each.each_needs_yes', said);
}

/** `Each needs more than half of its yes and no.` */
function neededBy(who: 'each' | 'it', { share, of }: Majority): Words {
  if (of === 'yes_no')
    return who === 'it'
      ? t('voting.yes_no_each.it_needs_of_its_votes', shareValues(share))
      : t('voting.yes_no_each.each_needs_of_its_votes', shareValues(share));
  return who === 'it'
    ? t('voting.yes_no_each.it_needs', { share: shareOfWords({ share, of }) })
    : t('voting.yes_no_each.each_needs', { share: shareOfWords({ share, of }) });
}
