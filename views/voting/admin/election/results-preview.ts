import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
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
  certifiedAt?: Words | string | null | undefined;
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
    eyebrow: html`${statusBadge(election.status)} ${t('voting-admin.results_preview.result_officers')}`,
    crumbs: [
      ...crumbsTo(props.meeting),
      {
        href: adminElectionPath(election.id),
        label: props.meeting ? election.title : t('voting-admin.results_preview.election'),
      },
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
  html`<a class="button button-quiet" href="${adminElectionPath(election.id, 'lot')}">${t('voting-admin.results_preview.enter_lot')}</a>`
}
<a class="button button-quiet" href="${sectionPath(election, 'results')}">${t('voting-admin.results_preview.back_election')}</a></div>
<div class="results-paper">${
    results === null
      ? html`<section class="results"><h2>${t('voting-admin.results_preview.result')}</h2>
${turnoutView(turnout)}</section>`
      : resultsView(results, {
          certifiedAt,
          codesCover,
          detailsPath: detailsPath(election.id),
          ...(!awaited && { matrixPath: matrixPath(election.id) }),
        })
  }</div>`;
  return officerPage({
    title: t('voting-admin.results_preview.document_title', { title: election.title }),
    body,
    nav: navOf(props.meeting),
    viewer,
  });
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
    title: t('voting-admin.results_preview.how_counted_what_published'),
    eyebrow: html`${statusBadge(election.status)} ${t('voting-admin.results_preview.result_officers')}`,
    crumbs: [
      ...crumbsTo(meeting),
      { href: adminElectionPath(election.id), label: election.title },
      {
        href: adminElectionPath(election.id, 'results-preview'),
        label: t('voting-admin.results_preview.its_result'),
      },
    ],
  })}
<div class="results-paper">${results && moreSection(resultDetails(results, context))}</div>`;
  return officerPage({
    title: t('voting-admin.results_preview.how_counted', { title: election.title }),
    body,
    nav: navOf(meeting),
    viewer,
  });
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
        ? t('voting-admin.results_preview.only_officers_who_certify_results')
        : t('voting-admin.results_preview.officers_who_certify_results_see'),
      t('voting-admin.results_preview.result_announced_yet'),
    );
  if (hidden === 'results_withheld' || hidden === 'papers_awaited')
    return notice('info', `${sentence(hidden)}.`);
  if (hidden !== undefined)
    return notice(
      'info',
      t('voting-admin.results_preview.sees_figure_depends_choice_before'),
      t('voting-admin.results_preview.results_hidden_until_voting_closes'),
    );
  if (status !== 'closed')
    return notice(
      'info',
      t('voting-admin.results_preview.results_hidden_anyone_address_voters'),
      t('voting-admin.results_preview.everyone_see'),
    );
  if (trial) return notice('info', t('voting-admin.results_preview.with_address'));
  return published
    ? notice(
        'success',
        t('voting-admin.results_preview.everybody_who_looks_sees_result'),
        t('voting-admin.results_preview.on_home_page'),
      )
    : notice(
        'info',
        t('voting-admin.results_preview.with_address_not_home_page'),
        t('voting-admin.results_preview.not_on_home_page'),
      );
}
