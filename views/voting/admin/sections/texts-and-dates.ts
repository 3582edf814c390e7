import { type Html, html } from '#kernel/html.ts';
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
    title: 'Title and description',
    about:
      'They can be corrected until the first ballot. Mails that went out keep the old words, and the audit ' +
      'log keeps both.',
    work: hasBallots
      ? html`${description && plainText(description)}
<p class="soft">Ballots are in, so title and description are fixed: what was voted on stays what it was.</p>`
      : lockedUnless(
          props,
          'elections:write',
          html`<form method="post" action="${adminPath(election)}?_method=PATCH">
${recordFields(TEXTS, TEXT_WORDS, { ...form, entered })}
<button class="button button-quiet">Save title and description</button></form>`,
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
    title: 'Dates',
    about: `All times are ${times.zone}. ${about}`,
    work:
      over ??
      html`${above}${lockedUnless(
        props,
        'elections:write',
        html`<form method="post" action="${action}">
<div class="field-row">${recordFields(PERIOD, PERIOD_WORDS, { ...form, entered: { ...stored, ...entered } })}</div>
${more}${pauses && tick('pause')}
<button class="button button-quiet">Save the dates</button></form>`,
      )}`,
  };
}

interface DatesParts {
  /** The address of the form. */
  action: string;
  hasBallots: boolean;
  about: string;
  /** Above the form. */
  above?: Html | false;
  /** Further inputs. */
  more?: Html | false;
  /** In place of the form. */
  over?: Html | undefined;
}
