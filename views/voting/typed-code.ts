import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { field } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** Why a typed code leads to no ballot. Times are already formatted. */
export type CodeRefusal =
  | { state: 'empty' | 'misread' | 'unreadable' | 'unknown' | 'withdrawn' | 'replaced' }
  | { state: 'length'; length: number }
  | {
      state: 'used' | 'scheduled' | 'paused' | 'closed';
      election: { id: string; title: string; isPaper: boolean };
      when: Words | string;
    }
  | {
      state: 'void';
      election: { id: string; title: string; isPaper: boolean };
      reason: string;
      isRepeated: boolean;
    };

/** The page with one field for a voting code, what was typed, and the error. */
export function typedCodePage({ text, refusal }: { text: string; refusal?: CodeRefusal }): Html {
  const heading = t('voting.typed_code.type_voting_code');
  const body = html`${pageHeader({
    title: heading,
    lede: t('voting.typed_code.voting_slip_sixteen_letters_digits'),
  })}
${codeForm({ text, error: refusal && errorText(refusal) })}
${
  refusal &&
  'election' in refusal &&
  html`
<p><a class="button button-quiet" href="/${refusal.election.isPaper ? 'p' : 'e'}/${refusal.election.id}">${t('voting.typed_code.about', { title: asWritten(refusal.election.title) })}</a></p>`
}
${notice(
  'info',
  html`${t('voting.typed_code.got_e_mail_instead_open', { link: (inside) => html`<a href="/vote/my-elections">${inside}</a>` })}`,
)}`;
  return page({ title: heading, body });
}

/** The form that opens the ballot of a code; the text may be anything that contains the code, such as a link. */
export function codeForm({
  text = '',
  error,
}: {
  text?: string | undefined;
  error?: Words | undefined;
}): Html {
  return html`<form method="post" action="/vote" class="code-form">
${field({
  name: 'code',
  label: t('voting.typed_code.voting_code'),
  hint: t('voting.typed_code.capital_letters_spaces_hyphens_matter'),
  value: text,
  autocomplete: 'off',
  autocapitalize: 'characters',
  inputmode: 'text',
  spellcheck: false,
  maxlength: 8_000,
  error,
})}
<button class="button">${t('voting.typed_code.open_my_ballot')}</button></form>`;
}

/** What is wrong with a code, and what to do. */
function errorText(refusal: CodeRefusal): Words {
  switch (refusal.state) {
    case 'empty':
      return t('voting.typed_code.type_code_slip');
    case 'misread':
      return t('voting.typed_code.character_misread_please_compare_each');
    case 'length':
      return t('voting.typed_code.code_16_letters_digits_please', { refusal: refusal.length });
    case 'unreadable':
      return t('voting.typed_code.voting_code_looks_like_k7p4');
    case 'unknown':
      return t('voting.typed_code.election_knows_code_compare_slip');
    case 'withdrawn':
      return t('voting.typed_code.code_withdrawn_officer_opens_ballot');
    case 'replaced':
      return t('voting.typed_code.code_replaced_new_use_newest');
    case 'void':
      return refusal.isRepeated
        ? t('voting.typed_code.voting_declared_void_repeated_everybody', {
            title: asWritten(refusal.election.title),
            reason: asWritten(refusal.reason),
          })
        : t('voting.typed_code.voting_declared_void_code_opens', {
            title: asWritten(refusal.election.title),
            reason: asWritten(refusal.reason),
          });
    case 'used':
      return refusal.election.isPaper
        ? t('voting.typed_code.every_question_open_already_answered', {
            title: asWritten(refusal.election.title),
          })
        : t('voting.typed_code.ballot_already_recorded_code_all', {
            title: asWritten(refusal.election.title),
          });
    case 'scheduled':
      return t('voting.typed_code.code_good_voting_opens_come', {
        title: asWritten(refusal.election.title),
        when: refusal.when,
      });
    case 'paused':
      return t('voting.typed_code.code_good_voting_paused_resumes', {
        title: asWritten(refusal.election.title),
        when: refusal.when,
      });
    case 'closed':
      return t('voting.typed_code.voting_closed_more_ballots_accepted', {
        title: asWritten(refusal.election.title),
        when: refusal.when,
      });
  }
}
