import { html } from '#kernel/html.ts';
import { count } from '#views/components/numbers.ts';
import { table } from '#views/components/tables.ts';
import { actionWords } from '#views/voting/admin/audit-words.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import { calledOf } from '#views/voting/words.ts';
import type { Section } from './forms.ts';
import type { Sections } from './page.ts';
import type { History, SharedProps } from './props.ts';

/** The history from the audit log, for officers who may read that. */
export const historySections = (props: SharedProps): Sections =>
  mayDo(props, 'audit:read')
    ? { history: () => (props.history ? historySection(props, props.history) : null) }
    : {};

function historySection({ election }: SharedProps, history: History): Section {
  const log = `/admin/audit-logs?${new URLSearchParams({ election_id: election.id })}`;
  const newest = table({
    caption: 'What was done, the newest first',
    columns: [{ label: 'When' }, { label: 'What' }, { label: 'Who' }],
    rows: history.entries.map(({ when, action, count: times, who }) => [
      html`<span class="cell-when">${when}</span>`,
      actionWords(action, times),
      html`<span class="cell-wrap">${who}</span>`,
    ]),
  });
  return {
    id: 'history',
    title: 'History',
    about: 'What was done here, when and by whom. No entry can tell how anyone voted.',
    work: html`${
      history.entries.length > 0 &&
      html`${newest}${
        history.span !== undefined &&
        html`<p class="small soft">Counted from the newest ${count(history.span)} entries.</p>`
      }`
    }
<p><a class="link-alone" href="${log}">Everything in the audit log about this ${calledOf(election)}</a></p>`,
  };
}
