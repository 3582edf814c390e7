import { type Html, html } from '#kernel/html.ts';
import { enteredText, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { inputsOf, labelsOf } from '#views/components/record-fields.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { describeRefusal, type Refusal } from './refusal.ts';

/** The data of the feedback form, as it is opened or after it was refused. */
export interface FeedbackPageProps {
  /** The submitted fields, by name. */
  entered?: Readonly<Record<string, unknown>> | undefined;
  refused?: Refusal | undefined;
}

const WORDS = {
  message: { label: 'Your message' },
  contact: {
    label: 'How we can reach you',
    hint:
      'An e-mail address or a phone number, if you would like an answer. It is deleted 90 days after the ' +
      'matter is settled, and so is your name.',
  },
  name: { label: 'Your name' },
  rating: { label: 'Your rating' },
};
const LABELS = labelsOf(WORDS);

const MARKS = ['Poor', 'Fair', 'Good', 'Very good', 'Great'];

/** The feedback form: a message, and optionally a rating, a name and a contact. */
export function feedbackPage({ entered = {}, refused }: FeedbackPageProps): Html {
  const { errors, sentence } = describeRefusal(refused, LABELS);
  const { at } = inputsOf(WORDS, { entered, errors });
  const rating = at('rating');
  const body = html`${
    sentence !== undefined &&
    html`
  <div role="alert">${notice('attention', sentence, 'Not sent yet')}</div>`
  }
${errorSummary(namedErrors(errors, LABELS))}
${pageHeader({
  title: 'Send feedback',
  lede: 'What was good, what was not, what is missing. The people behind the bar read every word.',
})}
<form method="post" action="/feedback">
${field({ ...at('message'), rows: 6, maxlength: 2_000 })}
<fieldset class="marks" id="rating"${rating.error !== undefined && html` aria-describedby="rating-error"`}>
<legend>How was it? <span class="optional">(optional)</span></legend>
${rating.error !== undefined && html`<p class="error-text" id="rating-error">${rating.error}</p>`}
<div class="marks-row">${MARKS.map((word, index) =>
    mark(index + 1, word, rating.value === String(index + 1)),
  )}</div></fieldset>
${field({ ...at('name'), optional: true, maxlength: 80, autocomplete: 'name' })}
${field({ ...at('contact'), optional: true, maxlength: 120 })}
<div class="never-seen" aria-hidden="true"><label>Leave this
empty <input name="website" tabindex="-1" autocomplete="off"></label></div>
${hiddenInputs({ page: enteredText(entered, 'page') || null })}
<p class="actions"><button class="button button-large">Send</button></p>
</form>`;
  return page({ title: 'Send feedback', body, nav: '/feedback', styles: 'guests' });
}

/** The page after a message was accepted. */
export function feedbackThanksPage(): Html {
  const body = html`${pageHeader({ title: 'Thank you' })}
<p class="said" role="status">We have received your message.</p>
<p>Someone behind the bar will read it. If you left a way to reach you and there is something to answer, they will.</p>
<p class="toolbar"><a class="button button-quiet" href="/feedback">Say something else</a></p>`;
  return page({ title: 'Thank you', body, nav: '/feedback', styles: 'guests' });
}

function mark(value: number, word: string, chosen: boolean): Html {
  return html`<label class="choice mark"><input type="radio" name="rating" value="${value}"${chosen && html` checked`}>
<span class="mark-value">${value}</span><span class="mark-word">${word}</span></label>`;
}
