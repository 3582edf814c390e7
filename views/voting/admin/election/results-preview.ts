import { type Html, html } from '#kernel/html.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { notice } from '#views/components/notices.ts';
import { statusBadge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import {
  crumbsTo,
  type MeetingPlace,
  mayDo,
  navOf,
  type OfficerProps,
  officerPage,
} from '#views/voting/admin/frame.ts';
import { matrixPath } from '#views/voting/results/matrix-page.ts';
import { moreSection, resultDetails, resultsView, turnoutView } from '#views/voting/results/results.ts';
import { adminElectionPath, sectionPath } from '#views/voting/words.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import type { HiddenBecause } from '#voting/elections/visibility.ts';
import { announceForm, publishForm } from './results.ts';

/** The data of a result's page for officers; while results are hidden, it shows only the turnout. */
export interface ResultsPreviewProps extends OfficerProps {
  election: Pick<ElectionJson, 'id' | 'title' | 'status' | 'trial'>;
  /** Null while hidden. */
  results: ResultsJson | null;
  turnout: ShownTurnout;
  publication: { published: boolean; results_visible: boolean };
  /** Why the viewer sees no figures. */
  hidden?: HiddenBecause | undefined;
  /** Whether the result waits for its announcement. */
  unannounced?: boolean | undefined;
  /** When it was certified, already formatted; manual results only. */
  certifiedAt?: string | null | undefined;
  /** Whether the codes of voters cover the choice. */
  codesCover: boolean;
  /** Whether a lot can be entered. */
  lotAwaited?: boolean | undefined;
  /** The meeting that votes on it. */
  meeting?: MeetingPlace | undefined;
}

/** The result as voters will see it, who can see it now, and the form to publish it. */
export function resultsPreviewPage(props: ResultsPreviewProps): Html {
  const { election, results, turnout, publication, certifiedAt, codesCover, viewer } = props;
  const awaited = props.unannounced === true;
  const body = html`${pageHeader({
    title: election.title,
    eyebrow: html`${statusBadge(election.status)} Result, for officers`,
    crumbs: [
      ...crumbsTo(props.meeting),
      { href: adminElectionPath(election.id), label: props.meeting ? election.title : 'This election' },
    ],
  })}
${whoSees(props)}
<div class="toolbar">${awaited && mayDo(props, 'elections:certify') && announceForm(election.id)}${
    election.status === 'closed' &&
    mayDo(props, 'elections:write') &&
    !election.trial &&
    publishForm(election.id, publication.published, publication.published || awaited ? undefined : 'button')
  }
${
  props.lotAwaited &&
  mayDo(props, 'elections:certify') &&
  html`<a class="button button-quiet" href="${adminElectionPath(election.id, 'lot')}">Enter a lot</a>`
}
<a class="button button-quiet" href="${sectionPath(election, 'results')}">Back to the election</a></div>
<div class="results-paper">${
    results === null
      ? html`<section class="results"><h2>Result</h2>
${turnoutView(turnout)}</section>`
      : resultsView(results, {
          certifiedAt,
          codesCover,
          detailsPath: detailsPath(election.id),
          ...(!awaited && { matrixPath: matrixPath(election.id) }),
        })
  }</div>`;
  return officerPage({ title: `Result: ${election.title}`, body, nav: navOf(props.meeting), viewer });
}

export const detailsPath = (id: string): string => adminElectionPath(id, 'results-preview/details');

/** How the result was counted, and what was published: the details of a result’s page for officers. */
export function resultsDetailsPage(
  props: Pick<
    ResultsPreviewProps,
    'election' | 'results' | 'unannounced' | 'codesCover' | 'meeting' | 'viewer'
  > & {
    exportHref?: string | undefined;
  },
): Html {
  const { election, results, unannounced, codesCover, meeting, viewer } = props;
  const exportHref = mayDo(props, 'elections:export') ? props.exportHref : undefined;
  const context = {
    codesCover,
    exportHref,
    oneAtATime: true,
    ...(!unannounced && { matrixPath: matrixPath(election.id) }),
  };
  const body = html`${pageHeader({
    title: 'How it was counted, and what was published',
    eyebrow: html`${statusBadge(election.status)} Result, for officers`,
    crumbs: [
      ...crumbsTo(meeting),
      { href: adminElectionPath(election.id), label: election.title },
      { href: adminElectionPath(election.id, 'results-preview'), label: 'Its result' },
    ],
  })}
<div class="results-paper">${results && moreSection(resultDetails(results, context))}</div>`;
  return officerPage({ title: `How it was counted: ${election.title}`, body, nav: navOf(meeting), viewer });
}

function whoSees({
  election: { status, trial },
  publication: { published },
  hidden,
  unannounced,
  results,
}: ResultsPreviewProps): Html | null {
  // The result says it itself.
  if (results?.void) return null;
  if (unannounced)
    return notice(
      'info',
      hidden === undefined
        ? 'Only officers who may certify results see this. Everybody sees the result once it is announced.'
        : 'Officers who may certify results see it, and everybody once it is announced.',
      'The result is not announced yet',
    );
  if (hidden === 'results_withheld' || hidden === 'papers_awaited')
    return notice('info', `${sentence(hidden)}.`);
  if (hidden !== undefined)
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
