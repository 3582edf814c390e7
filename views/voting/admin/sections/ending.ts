import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText } from '#views/components/entered.ts';
import { confirmPanel, field } from '#views/components/forms.ts';
import { askSection, mayDo } from '#views/voting/admin/frame.ts';
import { adminPath, calledOf, subPagePath } from '#views/voting/words.ts';
import { formOf, type Section } from './forms.ts';
import type { Act } from './page.ts';
import type { Ask, SharedProps } from './props.ts';
import { batchPanel } from './tokens.ts';

/** One way to end something: what it does, and the link that begins it. */
export type End = Act & { say: Child };

/** The section with the ways to end it, of which the officer may do some. */
export function endingSection(
  props: SharedProps,
  title: Words | string,
  ends: readonly (End | false)[],
): Section | null {
  const shown = ends.filter((end) => end !== false && (end.needs === undefined || mayDo(props, end.needs)));
  if (shown.length === 0) return null;
  return {
    id: 'ending',
    title,
    about: t('voting-admin.ending.see_what_deleted_confirm'),
    work: html`<ul class="action-list" role="list">${(shown as End[]).map(
      ({ say, href, label }) => html`
<li><p>${say}</p>
<a class="button button-quiet" href="${href}">${label}</a></li>`,
    )}</ul>`,
  };
}

/** The panel that confirms a destructive act: what is lost, in numbers, and a link to cancel. */
export function askPanel<Props extends SharedProps>(
  props: Props,
  panels: { [Kind in Exclude<Ask['kind'], 'batch'>]?: (props: Props) => Html },
): Html | null {
  const ask = props.ask ?? askAgain(props);
  if (ask === undefined || !mayDo(props, ask.kind === 'batch' ? 'elections:run' : 'elections:certify'))
    return null;
  const panel = ask.kind === 'batch' ? batchPanel(props, ask.batch_name) : panels[ask.kind]?.(props);
  if (!panel) return null;
  return askSection(panel, subPagePath(props.election, props.page));
}

/** Asks again after the confirmation was refused. */
function askAgain({ problem }: SharedProps): Ask | undefined {
  if (problem?.form === 'batches')
    return { kind: 'batch', batch_name: enteredText(problem.entered, 'batch_name') || null };
  return problem?.form === 'close' || problem?.form === 'delete' ? { kind: problem.form } : undefined;
}

/** Asks before it is deleted. @param leavesTrace whether everybody can read afterwards that it existed, and the reason */
export function deletePanel(
  props: SharedProps,
  { text, leavesTrace }: { text: Child; leavesTrace: boolean },
): Html {
  const { election } = props;
  const { at } = formOf(props, 'delete');
  const [called, { name, error }] = [calledOf(election), at('confirm')];
  return confirmPanel({
    title: t('voting-admin.ending.delete_question', { called }),
    text,
    action: `${adminPath(election)}?_method=DELETE`,
    button: t('voting-admin.ending.delete', { called }),
    fields: field({
      ...at('reason'),
      optional: true,
      maxlength: 300,
      hint: leavesTrace
        ? t('voting-admin.ending.everybody_read')
        : t('voting-admin.ending.officers_read_audit_log'),
    }),
    typed: { name, word: election.title, error },
  });
}
