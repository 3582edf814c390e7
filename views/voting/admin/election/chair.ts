import { type Html, html } from '#kernel/html.ts';
import { ownValue } from '#kernel/own-value.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, shareOf } from '#views/components/numbers.ts';
import { statusBadge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { askSection, mayDo, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { matrixPath } from '#views/voting/results/matrix-page.ts';
import { resultsView } from '#views/voting/results/results.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import type { HiddenBecause } from '#voting/elections/visibility.ts';
import { announceForm } from './results.ts';
import { detailsPath } from './results-preview.ts';

/** The data of the page for the chair of a meeting. Times are already formatted. */
export interface ChairProps extends OfficerProps {
  election: { id: string; title: string; status: ElectionStatus };
  opens: string;
  closes: string;
  /** The time left until the close; null when it is not open, or when days are left. */
  left: string | null;
  turnout: { issued: number; used: number };
  /** Set once voting is over and the viewer may see it. */
  results: ResultsJson | null;
  certifiedAt: string | null;
  /** Whether the codes of voters cover the choice. */
  codesCover: boolean;
  /** Whether closing is being confirmed. */
  asked: boolean;
  /** Why the result is hidden from everybody. */
  hidden: HiddenBecause | undefined;
  /** What was just done. */
  done: string | undefined;
}

/** Turnout in large type, the button to close voting, then the result: nothing about any person. */
export function chairPage(props: ChairProps): Html {
  const { election, results, certifiedAt, codesCover, asked, hidden, viewer } = props;
  const isClosed = election.status === 'closed';
  const isAwaited = hidden === 'results_not_announced';
  const done = ownValue(DONE, props.done);
  const body = html`${done !== undefined && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: election.title,
  eyebrow: statusBadge(election.status),
  lede: ledeOf(props),
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: adminElectionPath(election.id), label: 'This election' },
  ],
})}
${asked && !isClosed && mayDo(props, 'elections:certify') && closePanel(props)}
${!isClosed && turnout(props)}
${
  isAwaited &&
  notice(
    'info',
    results === null
      ? 'The result will be announced.'
      : 'Only officers who may certify results see it. The wall shows it once it is announced.',
    'The result is not announced yet',
  )
}
<div class="toolbar">${
    isAwaited &&
    mayDo(props, 'elections:certify') &&
    announceForm(election.id, { button: 'button button-large chair-act', from: 'chair' })
  }${
    !isClosed &&
    !asked &&
    mayDo(props, 'elections:certify') &&
    html`<a class="button button-large button-danger chair-act" href="${chairPath(election.id)}?ask=close#ask">Close voting now …</a>`
  }
<a class="button button-large chair-act${
    (!isClosed || isAwaited) && ' button-quiet'
  }" href="/e/${election.id}/results?wall=1" target="_blank" rel="noopener">Show on the wall</a></div>
${results && resultsView(results, { certifiedAt, codesCover, detailsPath: detailsPath(election.id), ...(!isAwaited && { matrixPath: matrixPath(election.id) }) })}`;
  // A reload would take the focus away from the question.
  const head =
    !isClosed && !asked && html`<noscript><meta http-equiv="refresh" content="${AGAIN_S}"></noscript>`;
  return officerPage({
    title: `Chair: ${election.title}`,
    body,
    nav: '/admin',
    viewer,
    ...(head && { head }),
  });
}

const DONE: Readonly<Record<string, string>> = {
  closed: 'Voting is closed. The next ballot is refused.',
  announced: 'The result is announced. Everybody can see it now.',
};

/** The seconds after which the page is loaded again, without script. */
const AGAIN_S = 15;

export const chairPath = (id: string): string => adminElectionPath(id, 'chair');

function ledeOf({ election, opens, closes, left }: ChairProps): string {
  switch (election.status) {
    case 'scheduled':
      return `Voting opens ${opens}.`;
    case 'open':
      return `Voting closes ${closes}${left === null ? '' : `: ${left} left`}.`;
    case 'closed':
      return `Voting closed ${closes}.`;
  }
}

function turnout({ election, turnout: { issued, used } }: ChairProps): Html {
  return html`<section class="chair-turnout" aria-label="Turnout" data-turnout="${adminElectionPath(
    election.id,
  )}" data-status="${election.status}" data-turnout-page="${chairPath(election.id)}">
<p><strong><span data-figure="used">${count(used)}</span></strong> of <span data-figure="tokens">${count(issued)}</span> have voted</p>
${issued > 0 && barDrawing(shareOf(used, issued), true)}
<p class="visually-hidden" role="status" data-turnout-news></p>
</section>`;
}

function closePanel({ election, turnout: { issued, used } }: ChairProps): Html {
  const waiting = issued - used;
  const text =
    waiting > 0
      ? `${counted(
          waiting,
          'person has',
          'people have',
        )} not voted yet and will no longer be able to. The next ballot is refused.`
      : 'Everybody with a voting code has voted.';
  return askSection(
    confirmPanel({
      title: 'Close this election now?',
      text,
      action: adminElectionPath(election.id, 'close?from=chair'),
      button: 'Close voting now',
    }),
    chairPath(election.id),
    'No, continue voting',
  );
}
