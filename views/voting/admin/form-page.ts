import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, namedErrors } from '#views/components/entered.ts';
import { errorSummary } from '#views/components/notices.ts';
import { type AllWords, labelsOf, recordFields } from '#views/components/record-fields.ts';
import { type Crumb, pageHeader } from '#views/components/structure.ts';
import { PERIOD } from '#voting/elections/texts-and-period.ts';
import { crumbsTo, type MeetingPlace, navOf, type OfficerProps, officerPage } from './frame.ts';
import { PERIOD_WORDS } from './sections/forms.ts';

/** The data of a page with one form. */
export interface FormPageProps extends OfficerProps {
  /** What was entered, or is proposed. */
  entered: Entered;
  errors: readonly FieldError[];
  /** Why it was refused, where no field is wrong. */
  message?: Words | string | undefined;
  /** The meeting that votes on what the page is about. */
  meeting?: MeetingPlace | undefined;
}

/** What a page with one form says. */
interface FormPage {
  title: Words | string;
  /** The title of the document, where it says more. */
  documentTitle?: Words | string;
  eyebrow?: Words | string;
  lede?: Words | string;
  /** The pages between the list of elections, or the meeting, and this one. */
  crumbs?: Crumb[];
  /** Of its inputs. A reason that belongs to no field is shown at the first one. */
  words: AllWords;
  /** The heading of what to correct. */
  refused: Words;
  /** The element that a problem belongs to, by the path of the field. */
  idOf?: (path: string) => string;
  body: Child;
  nav?: string;
  scripts?: string[];
}

/** A page of officers with one form. */
export function formPage(
  { errors, message, meeting, viewer }: Omit<FormPageProps, 'entered'>,
  page: FormPage,
): Html {
  const {
    title,
    documentTitle = title,
    eyebrow,
    lede,
    crumbs = [],
    words,
    refused,
    idOf,
    scripts,
    nav = navOf(meeting),
  } = page;
  const [first = ''] = Object.keys(words);
  const listed =
    errors.length === 0 && message !== undefined
      ? [{ path: first, message }]
      : namedErrors(errors, labelsOf(words));
  return officerPage({
    title: documentTitle,
    body: html`${errorSummary(listed, idOf, refused)}
${pageHeader({ title, eyebrow, lede, crumbs: [...crumbsTo(meeting), ...crumbs] })}
${page.body}`,
    nav,
    viewer,
    scripts,
  });
}

/** The dates of a new election. */
export const periodFields = ({
  zone,
  ...given
}: Pick<FormPageProps, 'entered' | 'errors'> & { zone: Words | string }): Html =>
  html`<p class="hint">${t('voting-admin.form_page.all_times', { zone })}</p>
<div class="field-row">${recordFields(PERIOD, PERIOD_WORDS, given)}</div>`;
