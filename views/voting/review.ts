import { type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { listed } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { ReviewedChoice } from '#voting/ballots/ballot-form.ts';
import { type BallotFrameProps, ballotSecrets, limits, secrecy } from './ballot-frame.ts';
import { byteLength, equalInputs, filledTo, formLength } from './equal-length.ts';
import { CHOICE_WORDS } from './words.ts';

/** The data of the review page. */
export interface ReviewProps extends Omit<BallotFrameProps, 'errors'> {
  choice: ReviewedChoice;
  /** Choices of which one is at least as long as any ballot of this election, see `longestChoices`. */
  longest: readonly ReviewedChoice[];
  /** The address that casts the ballot: `/e/:id/vote` or `/e/:id/vote/poll`. */
  action: string;
}

/** The review page: the choice in words, the warning that it is final, and buttons to cast it or to change it. */
export function reviewPage(props: ReviewProps): Html {
  const { election, choice, action, closes } = props;
  const bodyLength = Math.max(...props.longest.map((one) => formLength(choiceFields(one))));
  const inputsOf = (one: ReviewedChoice) => equalInputs(bodyLength, choiceFields(one));
  // The choice stands on the page once in words, and in both forms.
  const lengthOf = (one: ReviewedChoice) => byteLength(choiceInWords(one), inputsOf(one), inputsOf(one));
  const missing = Math.max(...props.longest.map(lengthOf)) - lengthOf(choice);
  const words = choiceInWords(choice);
  const secrets = html`${ballotSecrets(props)}${inputsOf(choice)}`;
  const body = html`${pageHeader({ title: 'Is this your vote?', eyebrow: 'Last look', lede: election.title })}
<div class="card review">${filledTo(byteLength(words) + missing, words)}</div>
${notice('attention', 'Once it is cast it cannot be changed or taken back, and nobody can look it up for you.', 'A ballot is cast once')}
${limits(props)}
<div class="actions">
<form method="post" action="${action}" data-cast data-after="/e/${election.id}">${secrets}<button class="button button-large">Cast my vote</button></form>
<form method="post" action="/e/${election.id}/vote/review">${secrets}${hiddenInputs({ step: 'edit', shown_order: props.shownOrder })}<button class="button button-quiet button-large">Change my answer</button></form>
</div>
<div class="cast-status" role="status" data-cast-status></div>
<div class="panel"><p>Voting closes <strong>${closes}</strong>.</p>${secrecy(props)}</div>`;
  return page({ title: `Review: ${election.title}`, body, scripts: ['voting/cast.js', 'base/copy.js'] });
}

/** The fields of the ballot, as the route that casts it expects them. */
function choiceFields(choice: ReviewedChoice): Record<string, string | string[]> {
  switch (choice.kind) {
    case 'simple':
      return { choice: choice.choice };
    case 'poll':
      return choice.multiple
        ? { selected_options: choice.options.map(({ id }) => id) }
        : { selected_option: choice.options[0]?.id ?? '' };
    case 'ranked':
      return { ranking: choice.ranking.map(({ id }) => id) };
  }
}

function choiceInWords(choice: ReviewedChoice): Html {
  switch (choice.kind) {
    case 'simple':
      return html`<h2>You vote</h2><p class="said">${CHOICE_WORDS[choice.choice]}</p>`;
    case 'poll':
      return html`<h2>You choose</h2>${
        choice.options.length === 1
          ? html`<p class="said" translate="no">${choice.options[0]?.name}</p>`
          : html`<ul class="said" translate="no">${choice.options.map(({ name }) => html`<li>${name}</li>`)}</ul>`
      }`;
    case 'ranked':
      return html`<h2>Your order, first choice first</h2>
      <ol class="placing" role="list" translate="no">${choice.ranking.map(
        ({ name }, index) =>
          html`<li><span class="placing-rank">${index + 1}<span class="visually-hidden">.</span></span><span>${name}</span></li>`,
      )}</ol>
${
  choice.unranked.length > 0 &&
  html`<h2>Not ranked (shared last place)</h2><p translate="no">${listed(choice.unranked)}.</p>
<p class="small soft">You prefer everyone
in your order to ${choice.unranked.length === 1 ? 'this one' : 'these. Among these you prefer nobody'}.</p>`
}`;
  }
}
