import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { recordFields } from '#views/components/record-fields.ts';
import { plainText } from '#views/components/structure.ts';
import { lockedUnless } from '#views/voting/admin/frame.ts';
import { adminPath } from '#views/voting/words.ts';
import { PERIOD, TEXTS } from '#voting/elections/texts-and-period.ts';
import { formOf, PERIOD_WORDS, type Section, TEXT_WORDS } from './forms.ts';
import type { SharedProps } from './props.ts';

/** Title and description, which can be corrected until the first ballot. */
export function textSection(props: SharedProps, hasBallots: boolean): Section {
  const { election } = props;
  const { title, description } = election;
  const { entered = { title, description }, ...form } = formOf(props, 'wording');
  return {
    id: 'text',
    title: t('voting-admin.texts_and_dates.title_description'),
    about: t('voting-admin.texts_and_dates.corrected_until_first_ballot_mails'),
    work: hasBallots
      ? html`${description && plainText(description)}
<p class="soft">${t('voting-admin.texts_and_dates.ballots_title_description_fixed_what')}</p>`
      : lockedUnless(
          props,
          'elections:write',
          html`<form method="post" action="${adminPath(election)}?_method=PATCH">
${recordFields(TEXTS, TEXT_WORDS, { ...form, entered })}
<button class="button button-quiet">${t('voting-admin.texts_and_dates.save_title_description')}</button></form>`,
        ),
  };
}

/** When voting opens and closes. */
export function datesSection(
  props: SharedProps,
  { action, hasBallots, about, above, more, over }: DatesParts,
): Section {
  const { election, times } = props;
  const { entered, tick, ...form } = formOf(props, 'dates');
  const stored = { open_at: times.opensInput, close_at: times.closesInput };
  // Asked first when the opening would move into the future.
  const pauses = election.status === 'open' && hasBallots && entered && form.errors.length === 0;
  return {
    id: 'dates',
    title: t('voting-admin.texts_and_dates.dates'),
    about: sentences([t('voting-admin.form_page.all_times', { zone: times.zone }), about]),
    work:
      over ??
      html`${above}${lockedUnless(
        props,
        'elections:write',
        html`<form method="post" action="${action}">
<div class="field-row">${recordFields(PERIOD, PERIOD_WORDS, { ...form, entered: { ...stored, ...entered } })}</div>
${more}${pauses && tick('pause')}
<button class="button button-quiet">${t('voting-admin.texts_and_dates.save_dates')}</button></form>`,
      )}`,
  };
}

interface DatesParts {
  /** The address of the form. */
  action: string;
  hasBallots: boolean;
  /** What a change does, in sentences. */
  about: Words;
  /** Above the form. */
  above?: Html | false;
  /** Further inputs. */
  more?: Html | false;
  /** In place of the form. */
  over?: Html | undefined;
}
