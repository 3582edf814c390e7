import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import { plainText } from '#views/components/structure.ts';
import { ruleSentences, viewOf } from '#views/voting/ballot-types.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';

/** The data of a ballot whose election does not exist yet. */
export interface BallotPreviewProps {
  title: string;
  description: string | null;
  ballot_type: BallotType;
  /** Labels of its options or candidates, in the order of the ballot; null if its type has none. */
  names: readonly string[] | null;
  settings: ElectionSettings;
}

/** The ballot as voters will see it, disabled. */
export function ballotPreview({
  title,
  description,
  ballot_type,
  names,
  settings,
}: BallotPreviewProps): Html {
  const { preview, abstains } = viewOf(ballot_type);
  const { asked, hint, choices } = preview(names ?? [], settings);
  const rules = ruleSentences({ ballot_type, settings });
  return html`<h3 class="preview-title">${title || t('voting-admin.ballot_preview.title_yet')}</h3>
${description && plainText(description)}
${rules.length > 0 && html`<p>${sentences(rules)}</p>`}
<fieldset disabled><legend>${asked}</legend>
${hint && html`<p class="hint">${hint}</p>`}
${names?.length === 0 ? NOTHING_YET : choices}${
  settings.allow_blank &&
  !abstains &&
  html`<p><button class="button button-quiet">${t('voting-admin.ballot_preview.abstain')}</button></p>`
}</fieldset>`;
}

const NOTHING_YET = html`<p class="soft">${t('voting-admin.ballot_preview.nothing_choose_yet_add_name')}</p>`;
