import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { DeletedPaper } from '#voting/ballot-papers/deletion.ts';

/** The page of a deleted ballot paper of which a question had ballots. @param when already formatted */
export function deletedPaperPage(
  { title, questions, deleted_by, reason }: DeletedPaper,
  when: Words | string,
): Html {
  const body = html`${pageHeader({
    title: asWritten(title),
    eyebrow: t('voting.deleted.deleted_ballot_paper'),
    crumbs: [{ href: '/', label: t('voting.deleted.all_elections') }],
  })}
${notice(
  'attention',
  deleted_by === null
    ? reason === null
      ? t('voting.deleted.officer_deleted_all_questions', { when })
      : t('voting.deleted.officer_deleted_all_questions_reason', { when, reason })
    : reason === null
      ? t('voting.deleted.deleted_all_questions', { deleted: deleted_by, when })
      : t('voting.deleted.deleted_all_questions_reason', { deleted: deleted_by, when, reason }),
  t('voting.deleted.ballot_paper_deleted'),
)}
<p>${t('voting.deleted.each_question_ballots_page_says')}</p>
<ul>${questions.map(({ id, title: asked }) => html`<li><a href="/e/${id}"${WRITTEN}>${asked}</a></li>`)}</ul>`;
  return page({ title, body });
}
