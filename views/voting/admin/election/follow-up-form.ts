import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
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
  zone: string;
}

const KINDS: Record<FollowUpKind, string> = {
  two_best: 'The two best',
  unelected: 'Those who were not elected',
  all: 'Everybody again',
  repeat: 'The same question again',
};

const WORDS = {
  kind: { label: 'What is voted on?' },
  options: { label: 'Options' },
  title: { label: 'Title', hint: 'Members see it.' },
  ...PERIOD_WORDS,
};

/** The form for a follow-up: what it is about, its title and its dates. */
export function followUpFormPage(props: FollowUpFormProps): Html {
  const { election, choices, entered, errors, chair } = props;
  const back = chair ?? adminElectionPath(election.id);
  const { at } = inputsOf(WORDS, props);
  const chosen = enteredText(entered, 'kind');
  return formPage(props, {
    title: 'New follow-up',
    lede: chair
      ? 'A new item of the agenda, on which the same cards vote. The chair opens and closes it.'
      : 'A new election with the same electors, who get new voting codes.',
    crumbs: [{ href: adminElectionPath(election.id), label: election.title }],
    words: WORDS,
    refused: 'No follow-up was made',
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
<div class="actions"><button class="button">Make the follow-up</button>
<a class="button button-quiet" href="${back}">Back without one</a></div></form>`,
  });
}

function aboutNote(names: readonly string[], seats: number | null, kind: FollowUpKind): string {
  const empty = kind === 'repeat' ? [] : ['Nobody is left: add candidates to it'];
  const parts = [
    ...(names.length > 0 ? [listed(names.slice(0, 10)) + (names.length > 10 ? ', …' : '')] : empty),
    ...(seats === null ? [] : [counted(seats, 'seat')]),
  ];
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

function invitedNote({ mails, slips, mailReady }: FollowUpFormProps): Html {
  if (mails + slips === 0) return notice('info', 'Nobody had a code: make voting codes for it afterwards.');
  const printed = `${counted(slips, 'code is on a slip', 'codes are on slips')} to print.`;
  return notice(
    'info',
    mailReady
      ? `${counted(mails, 'person gets', 'people get')} the new code by mail when voting opens; ${printed}`
      : `${counted(mails, 'person is', 'people are')} taken over; ${printed} No mail can be sent now: invite them once mail is set up.`,
  );
}
