import { type Html, html } from '#kernel/html.ts';
import { firstError } from '#views/components/entered.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { table } from '#views/components/tables.ts';
import { aboutOption } from '#views/voting/ballots/about-options.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import { bars } from '#views/voting/bars.ts';
import { choicesFields, seatsField, thresholdFields } from '#views/voting/seat-fields.ts';
import { percent } from '#views/voting/words.ts';
import { choiceLimits, type PollLimits, type SeatsResult } from '#voting/shared/seats.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import { BASE_WORDS, shareWords } from '#voting/shared/share.ts';
import type { PollResult } from '#voting/shared/tally.ts';
import { type BallotView, byVotes, leaderBadge } from './ballot-view.ts';
import { lotsForSeats, pollTable } from './figure-tables.ts';
import {
  electedSentence,
  LEVEL_WORDS,
  openSeatsText,
  seatBadge,
  seatsRule,
  thresholdSentence,
} from './seats.ts';

type Settings = Pick<ElectionSettings, 'threshold'> & PollLimits;

/** `one`, `up to 3`, `exactly 2`: how many options a ballot chooses. */
function howMany(settings: Settings, options: number): string {
  const { min, max } = choiceLimits(settings, options);
  if (max === 1) return 'one';
  if (min === max) return `exactly ${count(max)}`;
  if (max >= options) return min === 1 ? 'one or more' : `at least ${count(min)}`;
  return min === 1 ? `up to ${count(max)}` : `${count(min)} to ${count(max)}`;
}

/** Who is elected, in sentences; none where no seats are filled. */
function rulesOf({ seats = null, threshold }: Settings): string[] {
  if (seats === null && threshold === null) return [];
  const one = seats === null || seats === 1;
  const needs =
    threshold &&
    `${one ? 'It takes' : 'Each needs'} ${shareWords(threshold.share)} of ${BASE_WORDS[threshold.of]}.`;
  return [seatsRule(seats ?? 1), ...(needs ? [needs] : [])];
}

export const poll: BallotView<'POLL'> = {
  name: 'Poll',
  how: 'Voters choose one option, or several if you allow it. The option on the most ballots wins.',
  when: 'For a date, a dish, or one of several people: the most votes win.',
  setting: {
    name: 'poll_response_type',
    label: 'Answers in a poll',
    rows: [
      { value: 'single', label: 'Each voter chooses one option' },
      { value: 'multiple', label: 'Each voter chooses one option or more' },
    ],
    said(settings) {
      const chosen = howMany(settings, Number.POSITIVE_INFINITY);
      return `each voter chooses ${chosen} ${chosen === 'one' ? 'option' : 'options'}`;
    },
  },
  fields: [seatsField, choicesFields, thresholdFields],
  rules: rulesOf,
  asked({ settings, options = [] }) {
    const { length } = options;
    return `You choose ${howMany(settings, length)} of ${counted(length, 'option')}.`;
  },
  preview(names, settings) {
    const type = settings.poll_response_type === 'multiple' ? 'checkbox' : 'radio';
    return {
      asked: `Choose ${howMany(settings, names.length)}`,
      choices: html`<div class="choices">${names.map((label) =>
        choice({ type, name: 'preview', value: '', label }),
      )}</div>`,
    };
  },
  ballotPage(props) {
    const { settings } = props.election;
    const multiple = settings.poll_response_type === 'multiple';
    const name = multiple ? 'selected_options' : 'selected_option';
    const rows = props.options.map((option, index) => {
      const row = choice({
        type: multiple ? 'checkbox' : 'radio',
        name,
        id: `${name}-${index + 1}`,
        value: option.id,
        label: nameText(option.name),
        checked: props.entry.includes(option.id),
      });
      return html`${row}${aboutOption(option)}`;
    });
    return ballotFrame(props, {
      ask: null,
      choices: choiceGroup({
        name,
        label: `Choose ${howMany(settings, rows.length)}`,
        error: firstError(props.errors ?? []),
        rows,
      }),
      idOf: () => `${name}-1`,
    });
  },
  choiceInWords: ({ options }) =>
    html`<h2>You choose</h2>${
      options.length === 1
        ? html`<p class="said" translate="no">${options[0]?.name}</p>`
        : html`<ul class="said" translate="no">${options.map(({ name }) => html`<li>${name}</li>`)}</ul>`
    }`,

  namesIn: ({ options }) => options.map(({ name }) => name),
  outcome(result, ballots, final) {
    const { options, winners, variant } = result;
    if (isSeated(result)) return electedSentence(result, standingsOf(result), final);
    const leading = options.filter((option) => winners.includes(option.id));
    const [first] = leading;
    if (first === undefined) return 'nothing was chosen.';
    if (leading.length > 1)
      return `Tied between ${listed(
        leading.map((option) => option.name),
      )}, with ${counted(first.count, 'ballot')} each.`;
    const verb =
      variant === 'multiple choice'
        ? final
          ? 'was chosen most'
          : 'is chosen most'
        : final
          ? 'wins'
          : 'leads';
    return `${first.name} ${verb}: ${count(first.count)} of ${counted(ballots, 'ballot')}.`;
  },
  counts: ({ options }) => options.map((option) => option.count),
  /** Options with their counts, in the order of the ballot. */
  parts(result, { ballots, decided }) {
    const { options, winners, variant, tied } = result;
    const seated = isSeated(result) ? result : undefined;
    const picture = html`${bars({
      label: 'Votes',
      whole: ballots,
      bars: options.map(({ id, name, count: value }) => ({
        label: nameText(name),
        value,
        strong: winners.includes(id),
        note: seated ? seatBadge(seated, id, decided) : winners.includes(id) && leaderBadge(tied, decided),
      })),
    })}${
      seated
        ? html`${openSeatsText(seated, standingsOf(result), decided)}${thresholdText(result)}`
        : tied && html`<p>It is a tie. The club’s rules decide what happens next.</p>`
    }`;
    const counts = table({
      caption: 'Count of each option',
      quietCaption: true,
      columns: [{ label: 'Option' }, { label: 'Ballots', number: true }, { label: 'Share', number: true }],
      rows: options.map(({ name, count: value, share }) => [nameText(name), count(value), percent(share)]),
    });
    const method = seated
      ? html`<p>${variant === 'multiple choice' ? 'Each ballot could choose several options.' : 'Each ballot chose one option.'}
    Those with the most votes are elected, up to the number of seats, each with at least one vote${
      result.threshold && ' and with the votes that a seat needs'
    }. ${LEVEL_WORDS} Shares are of ballots.</p>`
      : variant === 'multiple choice'
        ? html`<p>Each ballot could choose several options. The option on the most ballots wins; shares are of ballots,
    so they may add up to more than 100%.</p>`
        : html`<p>Each ballot chose one option. The option on the most ballots wins, also with less than half.</p>`;
    return {
      picture,
      details: [
        ['The counts', counts],
        ['How it was counted', method],
      ],
    };
  },
  wallBars: ({ options, winners }, whole) => ({
    title: null,
    bars: byVotes(
      options.map(({ id, name: label, count: votes }) => ({ label, votes, leads: winners.includes(id) })),
    ),
    whole,
  }),
  lotTakes: () => 'The first ones drawn get the open seats.',
  figureTables: pollTable,
  tiesInWords: (result) => lotsForSeats(result, result.options),
  recounted: { winner: 'Winner', figures: 'All figures' },
};

/** Whether the result says who is elected, not only what was chosen most. */
const isSeated = (result: PollResult): result is PollResult & SeatsResult => result.seats !== undefined;

const standingsOf = ({ options }: PollResult) =>
  options.map(({ id, name, count: votes }) => ({ id, name, votes }));

function thresholdText({ threshold, base = 0, needed = 0 }: PollResult): Html | null {
  if (threshold === undefined) return null;
  return html`<p>${thresholdSentence({ threshold, base, needed })}</p>`;
}
