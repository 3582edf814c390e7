import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { FollowUpKind } from '#voting/elections/elections.ts';

/** The data of the form for an election that follows another one. */
export interface FollowUpFormProps extends OfficerProps {
  /** The election that it follows. */
  election: { id: string; title: string };
  /** What it can be about, the most usual first. */
  choices: readonly { kind: FollowUpKind; names: readonly string[]; seats: number | null }[];
  /** How many get a new code by mail, and on a slip. */
  mails: number;
  slips: number;
  mailReady: boolean;
  /** What was entered, or is proposed. */
  entered: Entered;
  errors: readonly FieldError[];
  /** Why it was refused, where no field is wrong. */
  message: string | undefined;
  zone: string;
}

const KINDS: Record<FollowUpKind, string> = {
  two_best: 'The two best',
  unelected: 'Those who were not elected',
  all: 'Everybody again',
  repeat: 'The same question again',
};

const LABELS = {
  kind: 'What is voted on?',
  options: 'Options',
  title: 'Title',
  open_at: 'Opens',
  close_at: 'Closes',
};

/** The form for a follow-up: what it is about, its title and its dates. */
export function followUpFormPage(props: FollowUpFormProps): Html {
  const { election, choices, entered, errors, message, zone, viewer } = props;
  const at = (name: keyof typeof LABELS) => ({
    name,
    label: LABELS[name],
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  const chosen = enteredText(entered, 'kind');
  const listedErrors = message === undefined ? namedErrors(errors, LABELS) : [{ path: '', message }];
  const body = html`${errorSummary(listedErrors, (path) => (path === '' || path === 'options' ? 'kind' : path), 'No follow-up was made')}
${pageHeader({
  title: 'Make a follow-up',
  lede: 'A new election with the same electors, who get new voting codes.',
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: adminElectionPath(election.id), label: election.title },
  ],
})}
<form class="card" method="post" action="${adminElectionPath(election.id, 'follow-up')}">
${choiceGroup({
  name: 'kind',
  label: LABELS.kind,
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
${field({ ...at('title'), hint: 'Members see it.', maxlength: 500 })}
<p class="hint">All times are ${zone}.</p>
<div class="field-row">${field({ ...at('open_at'), type: 'datetime-local' })}${field({
    ...at('close_at'),
    type: 'datetime-local',
  })}</div>
${invitedNote(props)}
<div class="actions"><button class="button">Make the follow-up</button>
<a class="button button-quiet" href="${adminElectionPath(election.id)}">Back without one</a></div></form>`;
  const title = `${errors.length > 0 ? 'Please check: ' : ''}Make a follow-up`;
  return officerPage({ title, body, nav: '/admin', viewer });
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
