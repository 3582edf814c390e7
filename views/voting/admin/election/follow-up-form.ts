import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage, periodFields } from '#views/voting/admin/form-page.ts';
import { PERIOD_WORDS } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { FollowUpKind } from '#voting/elections/elections.ts';

/** The data of the form for an election that follows another one. */
export interface FollowUpFormProps extends FormPageProps {
  /** The election that it follows. */
  election: { id: string; title: string };
  /** What it can be about, the most usual first. */
  choices: readonly { kind: FollowUpKind; names: readonly string[]; seats: number | null }[];
  /** How many get a new code by mail, and on a slip. */
  mails: number;
  slips: number;
  mailReady: boolean;
  /** The chair's page, in a meeting: there the same cards vote, and the chair opens and closes it. */
  chair: string | undefined;
  zone: Words | string;
}

const KINDS: Record<FollowUpKind, Words> = {
  two_best: t('voting-admin.follow_up_form.two_best'),
  unelected: t('voting-admin.follow_up_form.those_who_elected'),
  all: t('voting-admin.follow_up_form.everybody_again'),
  repeat: t('voting-admin.follow_up_form.same_question_again'),
};

const WORDS = {
  kind: { label: t('voting-admin.follow_up_form.what_voted') },
  options: { label: t('voting-admin.follow_up_form.options') },
  title: {
    label: t('voting-admin.follow_up_form.title'),
    hint: t('voting-admin.follow_up_form.members_see'),
  },
  ...PERIOD_WORDS,
};

/** The form for a follow-up: what it is about, its title and its dates. */
export function followUpFormPage(props: FollowUpFormProps): Html {
  const { election, choices, entered, errors, chair } = props;
  const back = chair ?? adminElectionPath(election.id);
  const { at } = inputsOf(WORDS, props);
  const chosen = enteredText(entered, 'kind');
  return formPage(props, {
    title: t('voting-admin.follow_up_form.new_follow_up'),
    lede: chair
      ? t('voting-admin.follow_up_form.new_item_agenda_which_same')
      : t('voting-admin.follow_up_form.new_election_same_electors_who'),
    crumbs: [{ href: adminElectionPath(election.id), label: election.title }],
    words: WORDS,
    refused: t('voting-admin.follow_up_form.follow_up_made'),
    idOf: (path) => (path.startsWith('options') ? 'kind' : path),
    body: html`<form class="card" method="post" action="${adminElectionPath(election.id, 'follow-up')}">
${choiceGroup({
  ...at('kind'),
  plain: true,
  error: errorAt(errors, 'kind') ?? errorAt(errors, 'options'),
  rows: choices.map(({ kind, names, seats }, index) =>
    choice({
      type: 'radio',
      name: 'kind',
      id: index === 0 ? 'kind' : `kind-${kind}`,
      value: kind,
      label: KINDS[kind],
      note: aboutNote(names, seats, kind),
      checked: kind === chosen || (index === 0 && chosen === ''),
    }),
  ),
})}
${field({ ...at('title'), maxlength: 500 })}
${!chair && html`${periodFields(props)}${invitedNote(props)}`}
<div class="actions"><button class="button">${t('voting-admin.follow_up_form.make_follow_up')}</button>
<a class="button button-quiet" href="${back}">${t('voting-admin.follow_up_form.back_without')}</a></div></form>`,
  });
}

/** Who or what it is about, and for how many seats. */
function aboutNote(all: readonly string[], seats: number | null, kind: FollowUpKind): Words | undefined {
  const few = all.slice(0, 10);
  const names = all.length > few.length ? commas([...few, '…'])! : allOf(few);
  if (all.length === 0 && kind !== 'repeat')
    return seats === null
      ? t('voting-admin.follow_up_form.left_add_candidates')
      : t('voting-admin.follow_up_form.left_add_candidates_seats', { seats });
  if (all.length === 0) return seats === null ? undefined : t('voting-admin.follow_up_form.seats', { seats });
  return seats === null
    ? t('voting-admin.follow_up_form.names', { names })
    : t('voting-admin.follow_up_form.names_seats', { names, seats });
}

function invitedNote({ mails, slips, mailReady }: FollowUpFormProps): Html {
  if (mails + slips === 0)
    return notice('info', t('voting-admin.follow_up_form.code_make_voting_codes_afterwards'));
  return notice(
    'info',
    mailReady
      ? t('voting-admin.follow_up_form.people_get_new_code_mail', { mails, slips })
      : t('voting-admin.follow_up_form.people_taken_over_mail_sent', { mails, slips }),
  );
}
