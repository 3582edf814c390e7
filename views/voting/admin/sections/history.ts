import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { table } from '#views/components/tables.ts';
import { actionWords } from '#views/voting/admin/audit-words.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
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
    caption: t('voting-admin.history.newest'),
    columns: [{ label: t('audit.log.when') }, { label: t('audit.log.what') }, { label: t('audit.log.who') }],
    rows: history.entries.map(({ when, action, count: times, who }) => [
      html`<span class="cell-when">${when}</span>`,
      actionWords(action, times),
      html`<span class="cell-wrap">${who}</span>`,
    ]),
  });
  return {
    id: 'history',
    title: t('voting-admin.history.title'),
    about: t('voting-admin.history.about'),
    work: html`${
      history.entries.length > 0 &&
      html`${newest}${
        history.span !== undefined &&
        html`<p class="small soft">${t('voting-admin.history.span', { count: history.span })}</p>`
      }`
    }
<p><a class="link-alone" href="${log}">${t('voting-admin.history.all', { called: election.isPaper ? 'paper' : 'other' })}</a></p>`,
  };
}
