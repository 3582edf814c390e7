import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
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
  message: { label: t('pub.feedback.message') },
  contact: {
    label: t('pub.feedback.how_reach'),
    hint: t('pub.feedback.e_mail_address_phone_number'),
  },
  name: { label: t('pub.feedback.name') },
  rating: { label: t('pub.feedback.rating') },
};
const LABELS = labelsOf(WORDS);

const MARKS = [
  t('pub.feedback.poor'),
  t('pub.feedback.fair'),
  t('pub.feedback.good'),
  t('pub.feedback.very_good'),
  t('pub.feedback.great'),
];

/** The feedback form: a message, and optionally a rating, a name and a contact. */
export function feedbackPage({ entered = {}, refused }: FeedbackPageProps): Html {
  const { errors, sentence } = describeRefusal(refused, LABELS);
  const { at } = inputsOf(WORDS, { entered, errors });
  const rating = at('rating');
  const body = html`${
    sentence !== undefined &&
    html`
  <div role="alert">${notice('attention', sentence, t('pub.feedback.sent_yet'))}</div>`
  }
${errorSummary(namedErrors(errors, LABELS))}
${pageHeader({
  title: t('pub.feedback.send_feedback'),
  lede: t('pub.feedback.what_good_what_what_missing'),
})}
<form method="post" action="/feedback">
${field({ ...at('message'), rows: 6, maxlength: 2_000 })}
<fieldset class="marks" id="rating"${rating.error !== undefined && html` aria-describedby="rating-error"`}>
<legend>${t('pub.feedback.how_optional', { optional: (inside) => html`<span class="optional">${inside}</span>` })}</legend>
${rating.error !== undefined && html`<p class="error-text" id="rating-error">${rating.error}</p>`}
<div class="marks-row">${MARKS.map((word, index) =>
    mark(index + 1, word, rating.value === String(index + 1)),
  )}</div></fieldset>
${field({ ...at('name'), optional: true, maxlength: 80, autocomplete: 'name' })}
${field({ ...at('contact'), optional: true, maxlength: 120 })}
<div class="never-seen" aria-hidden="true"><label>${t('pub.feedback.leave_empty')} <input name="website" tabindex="-1" autocomplete="off"></label></div>
${hiddenInputs({ page: enteredText(entered, 'page') || null })}
<p class="actions"><button class="button button-large">${t('pub.feedback.send')}</button></p>
</form>`;
  return page({ title: t('pub.feedback.send_feedback'), body, nav: '/feedback', styles: 'guests' });
}

/** The page after a message was accepted. */
export function feedbackThanksPage(): Html {
  const body = html`${pageHeader({ title: t('pub.feedback.thank') })}
<p class="said" role="status">${t('pub.feedback.received_message')}</p>
<p>${t('pub.feedback.someone_behind_bar_read_left')}</p>
<p class="toolbar"><a class="button button-quiet" href="/feedback">${t('pub.feedback.say_something_else')}</a></p>`;
  return page({ title: t('pub.feedback.thank'), body, nav: '/feedback', styles: 'guests' });
}

function mark(value: number, word: Words, chosen: boolean): Html {
  return html`<label class="choice mark"><input type="radio" name="rating" value="${value}"${chosen && html` checked`}>
<span class="mark-value">${value}</span><span class="mark-word">${word}</span></label>`;
}
