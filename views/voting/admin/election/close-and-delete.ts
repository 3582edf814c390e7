import { type Html, html } from '#kernel/html.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { askPanel, deletePanel, endingSection } from '#views/voting/admin/sections/ending.ts';
import type { Section } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath, askPath } from '#views/voting/words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { type ElectionPageProps, numberOfOptions } from './props.ts';

/** The section to close an election early, to copy it, or to delete it. */
export function electionEnding(props: ElectionPageProps): Section | null {
  const { election } = props;
  const { id, status, trial } = election;
  const needs = 'elections:certify';
  return endingSection(props, status === 'closed' ? 'Copy or delete' : 'Close, copy or delete', [
    status !== 'closed' && {
      say: 'Close voting before its time.',
      href: askPath(election, 'close'),
      label: 'Close …',
      needs,
    },
    !election.void &&
      !trial && {
        say: 'Something is wrong with it: declare it void, with a public reason, and repeat it with the same electors if you like.',
        href: adminElectionPath(id, 'void'),
        label: 'Declare void …',
        needs,
      },
    status === 'closed' &&
      !trial && {
        say: 'Vote again with the same electors, on open seats or on the same question.',
        href: adminElectionPath(id, 'follow-up'),
        label: 'Vote again …',
        needs,
      },
    {
      say: 'Make a new election like this one, without voting codes, ballots and results.',
      href: adminElectionPath(id, 'clone'),
      label: 'Copy …',
      needs: 'elections:write',
    },
    {
      say: 'Delete the election with everything in it.',
      href: askPath(election, 'delete'),
      label: 'Delete …',
      needs,
    },
  ]);
}

/** The panel that confirms a destructive act. */
export const electionAsk = (props: ElectionPageProps): Html | null =>
  askPanel(props, {
    // A question of a meeting is closed by its chair, and goes with its item.
    ...(!props.meeting && { close: closePanel, delete: deletionPanel }),
    computed: computedPanel,
  });

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

function deletionPanel(props: ElectionPageProps): Html {
  const { election, turnout, ballots, manual } = props;
  const kind = rulesOf(election.ballot_type).options?.kind;
  const goes = [
    counted(turnout.issued, 'voting code'),
    counted(ballots, 'ballot'),
    ...(kind ? [counted(numberOfOptions(election), kind)] : []),
    ...(turnout.invited === 0 ? [] : [counted(turnout.invited, 'invitation')]),
    ...(manual ? ['the certified results'] : []),
  ];
  const leavesTrace = ballots > 0 && !election.trial;
  return deletePanel(props, {
    leavesTrace,
    text: html`This also deletes <strong>${listed(goes)}</strong>, and the result. Links that were handed out stop working.
    Nothing of it can be brought
    back. ${
      leavesTrace
        ? 'Its public page keeps the title, the dates, the turnout, who deleted it and why, and after the close the figures.'
        : 'The audit log keeps that it existed.'
    }`,
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
