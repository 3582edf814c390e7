import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { DeletedPaper } from '#voting/ballot-papers/deletion.ts';

/** The page of a deleted ballot paper of which a question had ballots. @param when already formatted */
export function deletedPaperPage({ title, questions, deleted_by, reason }: DeletedPaper, when: string): Html {
  const body = html`${pageHeader({
    title,
    eyebrow: 'Deleted ballot paper',
    crumbs: [{ href: '/', label: 'All elections' }],
  })}
${notice(
  'attention',
  `${deleted_by ?? 'An officer'} deleted it on ${when}, with all its questions.${reason === null ? '' : ` Reason: ${reason}`}`,
  'This ballot paper was deleted',
)}
<p>Of each question that had ballots, its page says what stays:</p>
<ul>${questions.map(({ id, title: asked }) => html`<li><a href="/e/${id}">${asked}</a></li>`)}</ul>`;
  return page({ title, body });
}
