import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { statusBadge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { matrixPath } from '#views/voting/matrix-page.ts';
import { resultsView, turnoutView } from '#views/voting/results.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { publishForm } from './election/tokens-and-results.ts';
import { mayDo, type OfficerProps, officerPage } from './frame.ts';

/** The data of a result's page for officers; while results are hidden, it shows only the turnout. */
export interface ResultsPreviewProps extends OfficerProps {
  election: Pick<ElectionJson, 'id' | 'title' | 'status' | 'trial'>;
  /** Null while hidden. */
  results: ResultsJson | null;
  turnout: { issued: number; used: number };
  publication: { published: boolean; results_visible: boolean };
  /** When it was certified, already formatted; manual results only. */
  certifiedAt?: string | null | undefined;
  /** Whether the codes of voters cover the choice. */
  codesCover: boolean;
  exportHref?: string | undefined;
}

/** The result as voters will see it, who can see it now, and the form to publish it. */
export function resultsPreviewPage(props: ResultsPreviewProps): Html {
  const { election, results, turnout, publication, certifiedAt, codesCover, viewer } = props;
  const exportHref = mayDo(props, 'elections:export') ? props.exportHref : undefined;
  const body = html`${pageHeader({
    title: election.title,
    eyebrow: html`${statusBadge(election.status)} Result, for officers`,
    crumbs: [
      { href: '/admin', label: 'Elections' },
      { href: adminElectionPath(election.id), label: 'This election' },
    ],
  })}
${whoSees(props)}
<div class="toolbar">${
    election.status === 'closed' &&
    mayDo(props, 'elections:write') &&
    !election.trial &&
    publishForm(election.id, publication.published, publication.published ? undefined : 'button')
  }
<a class="button button-quiet" href="${adminElectionPath(election.id)}#results">Back to the election</a></div>
<div class="results-paper">${
    results === null
      ? html`<section class="results"><h2>Result</h2>
${turnoutView(turnout)}</section>`
      : resultsView(results, { certifiedAt, codesCover, exportHref, matrixPath: matrixPath(election.id) })
  }</div>`;
  return officerPage({ title: `Result: ${election.title}`, body, nav: '/admin', viewer });
}

function whoSees({
  election: { status, trial },
  publication: { published, results_visible: visible },
}: ResultsPreviewProps): Html {
  if (!visible)
    return notice(
      'info',
      'Nobody sees a figure that depends on a choice before the close, officers included.',
      'Results are hidden until voting closes',
    );
  if (status !== 'closed')
    return notice(
      'info',
      'Results are not hidden: anyone with the address of the voters’ page sees the same figures, live.',
      'Everyone can see this',
    );
  if (trial) return notice('info', 'Anyone with the address of the voters’ page sees the result.');
  return published
    ? notice('success', 'Everybody who looks there sees the result.', 'On the home page')
    : notice(
        'info',
        'Anyone with the address of the voters’ page sees the result. It is not on the home page yet.',
        'Not on the home page',
      );
}
