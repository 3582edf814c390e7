import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { confirmPanel, field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { mayDo, pageSection } from '#views/voting/admin/frame.ts';
import { adminElectionPath, adminPath } from '#views/voting/words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { type Ask, type CodesProps, type ElectionPageProps, problemOf } from './props.ts';

/** The section to close an election early, to copy it, or to delete it. */
export function endingSection(props: ElectionPageProps, said: Html | null): Html | null {
  const { id, status } = props.election;
  const [mayEnd, mayCopy] = [mayDo(props, 'elections:certify'), mayDo(props, 'elections:write')];
  if (!mayEnd && !mayCopy) return null;
  const ask = (kind: string) => `${adminElectionPath(id)}?ask=${kind}#ask`;
  return pageSection({
    id: 'ending',
    title: status === 'closed' ? 'Copy or delete' : 'Close, copy or delete',
    about: 'You see what will be deleted, and confirm it.',
    work: html`${said}<ul class="action-list" role="list">
${
  mayEnd &&
  status !== 'closed' &&
  html`<li><p>Close voting before its time.</p>
<a class="button button-danger-quiet" href="${ask('close')}">Close …</a></li>`
}
${
  mayEnd &&
  !props.election.void &&
  !props.election.trial &&
  html`<li><p>Something is wrong with it: declare it void, with a public
reason, and repeat it with the same electors if you like.</p>
<a class="button button-danger-quiet" href="${adminElectionPath(id, 'void')}">Declare void …</a></li>`
}
${
  mayEnd &&
  status === 'closed' &&
  !props.election.trial &&
  html`<li><p>Vote again with the same electors, on open seats or on the same question.</p>
<a class="button button-quiet" href="${adminElectionPath(id, 'follow-up')}">Make a follow-up …</a></li>`
}
${
  mayCopy &&
  html`<li><p>Make a new election like this one, without voting codes, ballots and results.</p>
<a class="button button-quiet" href="${adminElectionPath(id, 'clone')}">Copy …</a></li>`
}
${
  mayEnd &&
  html`<li><p>Delete the election with everything in it.</p>
<a class="button button-danger-quiet" href="${ask('delete')}">Delete …</a></li>`
}
</ul>`,
  });
}

/** The panel that confirms a destructive act: what is lost, in numbers, and a link to cancel. */
export function askPanel(props: ElectionPageProps): Html | null {
  const ask = props.ask ?? askAgain(props);
  if (ask === undefined || !mayDo(props, ask.kind === 'batch' ? 'elections:run' : 'elections:certify'))
    return null;
  const { id } = props.election;
  return html`<section id="ask" class="ask" aria-labelledby="ask-title">
  <h2 class="visually-hidden" id="ask-title">Please confirm</h2>${panelOf(props, ask)}
<p><a class="button button-quiet" href="${adminElectionPath(id)}">No, leave everything as it is</a></p></section>`;
}

/** Asks again after the confirmation was refused. */
function askAgain({ problem }: ElectionPageProps): Ask | undefined {
  if (problem?.form === 'batches')
    return { kind: 'batch', batch_name: enteredText(problem.entered, 'batch_name') || null };
  return problem?.form === 'close' || problem?.form === 'delete' ? { kind: problem.form } : undefined;
}

function panelOf(props: ElectionPageProps, ask: Ask): Html {
  switch (ask.kind) {
    case 'close':
      return closePanel(props);
    case 'delete':
      return deletePanel(props);
    case 'batch':
      return batchPanel(props, ask.batch_name);
    case 'computed':
      return computedPanel(props);
  }
}

function closePanel({ election, turnout: { issued, used }, times }: ElectionPageProps): Html {
  if (election.status === 'closed') return notice('info', 'This election is closed already.');
  const without = issued - used;
  const codes = `${count(used)} of ${counted(issued, 'voting code')} ${used === 1 ? 'was' : 'were'} used`;
  const text =
    election.status === 'scheduled'
      ? `Voting opens ${times.opens}. Closed now, it never opens: ${counted(issued, 'voting code')} will not work.`
      : without > 0
        ? `${codes}. ${counted(without, 'person has', 'people have')} not voted yet. They will no longer be able to.`
        : `${codes}; nobody is left who could vote.`;
  return confirmPanel({
    title: 'Close this election now?',
    text: `${text} The next ballot is refused. New dates would open it again, once, with figures hidden until the new close.`,
    action: adminElectionPath(election.id, 'close'),
    button: 'Close voting now',
  });
}

function deletePanel(props: ElectionPageProps): Html {
  const { election, turnout, ballots, options, manual } = props;
  const { id, title } = election;
  const kind = rulesOf(election.ballot_type).options?.kind;
  const { errors, entered } = problemOf(props, 'delete');
  const goes = [
    counted(turnout.issued, 'voting code'),
    counted(ballots, 'ballot'),
    ...(kind ? [counted(options.length, kind)] : []),
    ...(turnout.invited === 0 ? [] : [counted(turnout.invited, 'invitation')]),
    ...(manual ? ['the certified results'] : []),
  ];
  return confirmPanel({
    title: 'Delete this election?',
    text: html`This also deletes <strong>${listed(goes)}</strong>, and the result. Links that were handed out stop working.
    Nothing of it can be brought
    back. ${
      ballots > 0 && !election.trial
        ? 'Its public page keeps the title, the dates, the turnout, who deleted it and why, and after the close the figures.'
        : 'The audit log keeps that it existed.'
    }`,
    action: `${adminElectionPath(id)}?_method=DELETE`,
    button: 'Delete the election',
    fields: field({
      name: 'reason',
      label: 'Reason',
      optional: true,
      maxlength: 300,
      hint:
        ballots > 0 && !election.trial ? 'Everybody can read it.' : 'Officers can read it in the audit log.',
      value: enteredText(entered ?? {}, 'reason'),
      error: errorAt(errors, 'reason'),
    }),
    typed: { name: 'confirm', word: title, error: errorAt(errors, 'confirm') },
  });
}

/** Asks before a batch of voting codes is deleted. */
export function batchPanel(props: Pick<CodesProps, 'batches' | 'election'>, name: string | null): Html {
  const batch = props.batches.find(({ batch_name }) => batch_name === name);
  if (batch === undefined) return notice('info', 'There is no such batch any more.');
  const { count: total, used_count: used } = batch;
  return confirmPanel({
    title: name === null ? 'Delete the unnamed batch?' : `Delete the batch “${name}”?`,
    text: html`<strong>${counted(total, 'voting code')}</strong> ${total === 1 ? 'is' : 'are'} deleted: anyone who
    holds ${total === 1 ? 'it' : 'one of them'} can no longer vote. ${
      (used ?? 0) > 0 &&
      `${counted(
        used ?? 0,
        'of them was',
        'of them were',
      )} used: these ballots stay, and the public history says so.`
    }`,
    action: adminPath(props.election, 'batches?_method=DELETE'),
    button: `Delete ${counted(total, 'voting code')}`,
    hidden: { batch_name: name ?? '' },
  });
}

function computedPanel({ election: { id }, manual, ballots }: ElectionPageProps): Html {
  if (!manual) return notice('info', 'The result is the counted one already.');
  return confirmPanel({
    title: 'Go back to the counted result?',
    text: html`The certified figures
    go: <strong>${counted(manual.contests, 'contest')} with ${counted(
      manual.items,
      'item',
    )}</strong>. From then on the result is what the ${counted(ballots, 'ballot')} of this election say.`,
    action: adminElectionPath(id, 'manual-results?_method=DELETE'),
    button: 'Delete the certified figures',
  });
}
