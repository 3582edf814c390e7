import { type Child, type Html, html } from '#kernel/html.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { counted } from '#views/voting/words.ts';
import { type ElectionDesk, isReady } from './desk.ts';

interface Step {
  say: Child;
  action: { href: string; label: string };
  other?: { href: string; label: string };
}

/** What an officer does next, in a sentence with the page’s one filled button. */
export function nextStep(desk: ElectionDesk): Html {
  const { say, action, other } = stepOf(desk);
  // While a question is open its answer comes first.
  const filled = askedFirst(desk) ? 'button button-quiet' : 'button';
  return html`<section class="card next-step" aria-labelledby="next-title"><h2 id="next-title">Next</h2>
<p>${say}</p><p class="toolbar"><a class="${filled}" href="${action.href}">${action.label}</a>
${other && html`<a class="button button-quiet" href="${other.href}">${other.label}</a>`}</p></section>`;
}

function askedFirst({ ask, problem }: ElectionDesk): boolean {
  return (
    ask !== undefined ||
    problem?.form === 'delete' ||
    problem?.form === 'batches' ||
    problem?.form === 'close'
  );
}

function stepOf(desk: ElectionDesk): Step {
  const { election, turnout, times } = desk;
  if (election.status === 'closed') return stepAfterClose(desk);
  const kind = election.ballot_type === 'POLL' ? 'options' : 'candidates';
  const opening = election.status === 'open' ? 'Voting is open' : `Voting opens ${times.opens}`;
  if (election.ballot_type !== 'SIMPLE_TRIPLE' && desk.options.length < 2) {
    const say = `${opening}, but nobody can vote yet: there are fewer than two ${kind}.`;
    return { say, action: { href: `#${kind}`, label: `Add ${kind}` } };
  }
  if (!isReady(desk)) {
    const say = `${opening}, but nobody can vote yet: there are no tokens. Make some to hand out, or invite people by mail.`;
    const invite = { href: '#invitations', label: 'Invite people' };
    return {
      say,
      action: { href: '#tokens', label: 'Make tokens' },
      ...(desk.invitations?.mailReady && { other: invite }),
    };
  }
  const voters = { href: `/e/${election.id}`, label: 'See the voters’ page' };
  if (election.status === 'scheduled') {
    const say = `Everything is ready. ${opening}. Hand out the tokens you made, or make more.`;
    return { say, action: voters, other: { href: '#tokens', label: 'Make more tokens' } };
  }
  const close = { href: `${deskPath(election.id)}?ask=close#ask`, label: 'Close voting …' };
  if (turnout.used >= turnout.issued)
    return { say: 'Every token was used. You can close the vote now.', action: close, other: voters };
  return { say: `Voting is open and closes by itself ${times.closes}.`, action: voters, other: close };
}

function stepAfterClose({ election, publication, ballots }: ElectionDesk): Step {
  const preview = { href: deskPath(election.id, 'results-preview'), label: 'Look at the result' };
  const votersPage = { href: `/e/${election.id}`, label: 'See the voters’ page' };
  if (publication.published)
    return { say: 'The result is on the home page.', action: preview, other: votersPage };
  const cast =
    ballots === 0
      ? 'No ballots were cast'
      : `${counted(ballots, 'ballot')} ${ballots === 1 ? 'was' : 'were'} cast`;
  return {
    say: `Voting has closed. ${cast}. Look at the result, then put it on the home page.`,
    action: preview,
  };
}
