import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { firstError } from '#views/components/entered.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import { table } from '#views/components/tables.ts';
import { aboutOption } from '#views/voting/ballots/about-options.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import { bars } from '#views/voting/bars.ts';
import { choicesFields, seatsField, thresholdFields } from '#views/voting/seat-fields.ts';
import { percent } from '#views/voting/words.ts';
import { shareOfWords } from '#voting/share-words.ts';
import { choiceLimits, type PollLimits, type SeatsResult } from '#voting/shared/seats.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
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

/** How many options a ballot chooses: values of the texts that say it. */
function howMany(settings: Settings, options: number) {
  const { min, max } = choiceLimits(settings, options);
  const kind =
    max === 1
      ? 'one'
      : min === max
        ? 'exactly'
        : max >= options
          ? min === 1
            ? 'one_or_more'
            : 'at_least'
          : min === 1
            ? 'up_to'
            : 'other';
  return { kind, min, max } as const;
}

/** Who is elected, in sentences; none where no seats are filled. */
function rulesOf({ seats = null, threshold }: Settings): Words[] {
  if (seats === null && threshold === null) return [];
  const share = threshold && shareOfWords(threshold);
  const needs =
    share &&
    (seats === null || seats === 1
      ? t('voting.poll.takes', { share })
      : t('voting.poll.each_needs', { share }));
  return [seatsRule(seats ?? 1), ...(needs ? [needs] : [])];
}

export const poll: BallotView<'POLL'> = {
  name: t('voting-admin.poll.poll'),
  how: t('voting-admin.poll.voters_choose_option_several_allow'),
  when: t('voting-admin.poll.date_dish_several_people_most'),
  setting: {
    name: 'poll_response_type',
    label: t('voting-admin.poll.answers_poll'),
    rows: [
      { value: 'single', label: t('voting-admin.poll.each_voter_chooses_option') },
      { value: 'multiple', label: t('voting-admin.poll.each_voter_chooses_option_more') },
    ],
    said(settings) {
      return t('voting-admin.ballot_types.poll_choices', howMany(settings, Number.POSITIVE_INFINITY));
    },
  },
  fields: [seatsField, choicesFields, thresholdFields],
  rules: rulesOf,
  asked({ settings, options = [] }) {
    const { length } = options;
    return t('voting.poll.choose_options', { ...howMany(settings, length), options: length });
  },
  preview(names, settings) {
    const type = settings.poll_response_type === 'multiple' ? 'checkbox' : 'radio';
    return {
      asked: t('voting.poll.choose_how_many', howMany(settings, names.length)),
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
        label: t('voting.poll.choose_how_many', howMany(settings, rows.length)),
        error: firstError(props.errors ?? []),
        rows,
      }),
      idOf: () => `${name}-1`,
    });
  },
  choiceInWords: ({ options }) =>
    html`<h2>${t('voting.poll.you_choose')}</h2>${
      options.length === 1
        ? html`<p class="said">${nameText(options[0]?.name ?? '')}</p>`
        : html`<ul class="said">${options.map(({ name }) => html`<li>${nameText(name)}</li>`)}</ul>`
    }`,

  namesIn: ({ options }) => options.map(({ name }) => name),
  outcome(result, ballots, final) {
    const { options, winners, variant } = result;
    if (isSeated(result)) return electedSentence(result, standingsOf(result), final);
    const leading = options.filter((option) => winners.includes(option.id));
    const [first] = leading;
    if (first === undefined) return t('voting.poll.nothing_chosen');
    if (leading.length > 1)
      return t('voting.poll.tied_between_ballots_each', {
        names: allOf(leading.map((option) => option.name)),
        ballots: first.count,
      });
    const said = { name: first.name, votes: first.count, ballots };
    if (variant === 'multiple choice')
      return final ? t('voting.poll.was_chosen_most', said) : t('voting.poll.is_chosen_most', said);
    return final ? t('voting.poll.wins', said) : t('voting.poll.leads', said);
  },
  counts: ({ options }) => options.map((option) => option.count),
  /** Options with their counts, in the order of the ballot. */
  parts(result, { ballots, decided }) {
    const { options, winners, variant, tied } = result;
    const seated = isSeated(result) ? result : undefined;
    const picture = html`${bars({
      label: t('voting.poll.votes'),
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
        : tied && html`<p>${t('voting.poll.tie_clubs_rules_decide_what')}</p>`
    }`;
    const counts = table({
      caption: t('voting.poll.count_each_option'),
      quietCaption: true,
      columns: [
        { label: t('voting.poll.option') },
        { label: t('voting.poll.ballots'), number: true },
        { label: t('voting.poll.share'), number: true },
      ],
      rows: options.map(({ name, count: value, share }) => [nameText(name), count(value), percent(share)]),
    });
    const method = seated
      ? html`<p>${variant === 'multiple choice' ? t('voting.poll.several_options') : t('voting.poll.each_ballot_chose_option')}
    ${result.threshold ? t('voting.poll.most_votes_and_needed_votes') : t('voting.poll.most_votes')} ${LEVEL_WORDS} ${t('voting.poll.shares_ballots')}</p>`
      : variant === 'multiple choice'
        ? html`<p>${t('voting.poll.several_options_rule')}</p>`
        : html`<p>${t('voting.poll.each_ballot_chose_option_option')}</p>`;
    return {
      picture,
      details: [
        [t('voting.poll.counts'), counts],
        [t('voting.poll.how_counted'), method],
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
  lotTakes: () => t('voting.poll.first_ones_drawn_get_open'),
  figureTables: pollTable,
  tiesInWords: (result) => lotsForSeats(result, result.options),
  recounted: { winner: t('voting.poll.winner'), figures: t('voting.poll.all_figures') },
};

/** Whether the result says who is elected, not only what was chosen most. */
const isSeated = (result: PollResult): result is PollResult & SeatsResult => result.seats !== undefined;

const standingsOf = ({ options }: PollResult) =>
  options.map(({ id, name, count: votes }) => ({ id, name, votes }));

function thresholdText({ threshold, base = 0, needed = 0 }: PollResult): Html | null {
  if (threshold === undefined) return null;
  return html`<p>${thresholdSentence({ threshold, base, needed })}</p>`;
}
