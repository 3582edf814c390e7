import { html } from '#kernel/html.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { table } from '#views/components/tables.ts';
import { aboutOption } from '#views/voting/about-options.ts';
import { ballotFrame } from '#views/voting/ballot-frame.ts';
import { bars } from '#views/voting/bars.ts';
import { percent } from '#views/voting/words.ts';
import { type BallotView, byVotes, leaderBadge } from './ballot-view.ts';

const ASKED = { single: 'Choose one', multiple: 'Choose one or more' };

export const poll: BallotView<'POLL'> = {
  name: 'Poll',
  how: 'Voters choose one option, or several if you allow it. The option on the most ballots wins.',
  when: 'For a date, a dish, a quick look at what members want.',
  setting: {
    name: 'poll_response_type',
    label: 'Answers in a poll',
    rows: [
      { value: 'single', label: 'Each voter chooses one option' },
      { value: 'multiple', label: 'Each voter chooses one option or more' },
    ],
    said: ({ poll_response_type }) =>
      `each voter chooses ${poll_response_type === 'multiple' ? 'one option or more' : 'one option'}`,
  },
  asked({ settings, options = [] }) {
    const choices = settings.poll_response_type === 'multiple' ? 'one or more' : 'one';
    return `You choose ${choices} of ${counted(options.length, 'option')}.`;
  },
  preview(names, { poll_response_type }) {
    const type = poll_response_type === 'multiple' ? 'checkbox' : 'radio';
    return {
      asked: ASKED[poll_response_type],
      choices: html`<div class="choices">${names.map((label) =>
        choice({ type, name: 'preview', value: '', label }),
      )}</div>`,
    };
  },
  ballotPage(props) {
    const { poll_response_type: answers = 'single' } = props.election.settings;
    const multiple = answers === 'multiple';
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
      choices: choiceGroup({ name, label: ASKED[answers], error: props.errors?.[0]?.message, rows }),
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
  outcome({ options, winners, variant }, ballots, final) {
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
  parts({ options, winners, variant, tied }, { ballots, decided }) {
    const picture = html`${bars({
      label: 'Votes',
      whole: ballots,
      bars: options.map(({ id, name, count: value }) => ({
        label: nameText(name),
        value,
        strong: winners.includes(id),
        note: winners.includes(id) && leaderBadge(tied, decided),
      })),
    })}${tied && html`<p>It is a tie. The club’s rules decide what happens next.</p>`}`;
    const counts = table({
      caption: 'Count of each option',
      quietCaption: true,
      columns: [{ label: 'Option' }, { label: 'Ballots', number: true }, { label: 'Share', number: true }],
      rows: options.map(({ name, count: value, share }) => [nameText(name), count(value), percent(share)]),
    });
    const method =
      variant === 'multiple choice'
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
  lotTakes: 'The first ones drawn get the open seats.',
  recounted: { winner: 'Winner', figures: 'All figures' },
};
