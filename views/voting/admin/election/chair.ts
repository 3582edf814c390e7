import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { shareOf } from '#views/components/numbers.ts';
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
  opens: Words | string;
  closes: Words | string;
  /** The time left until the close; null when it is not open, or when days are left. */
  left: Words | string | null;
  turnout: { issued: number; used: number };
  /** Set once voting is over and the viewer may see it. */
  results: ResultsJson | null;
  certifiedAt: Words | string | null;
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
    { href: '/admin', label: t('voting-admin.chair.elections') },
    { href: adminElectionPath(election.id), label: t('voting-admin.chair.election') },
  ],
})}
${asked && !isClosed && mayDo(props, 'elections:certify') && closePanel(props)}
${!isClosed && turnout(props)}
${
  isAwaited &&
  notice(
    'info',
    results === null
      ? t('voting-admin.chair.result_announced')
      : t('voting-admin.chair.only_officers_who_certify_results'),
    t('voting-admin.chair.result_announced_yet'),
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
    html`<a class="button button-large button-danger chair-act" href="${chairPath(election.id)}?ask=close#ask">${t('voting-admin.chair.ask_close_voting')}</a>`
  }
<a class="button button-large chair-act${
    (!isClosed || isAwaited) && ' button-quiet'
  }" href="/e/${election.id}/results?wall=1" target="_blank" rel="noopener">${t('voting-admin.chair.show_wall')}</a></div>
${results && resultsView(results, { certifiedAt, codesCover, detailsPath: detailsPath(election.id), ...(!isAwaited && { matrixPath: matrixPath(election.id) }) })}`;
  // A reload would take the focus away from the question.
  const head =
    !isClosed && !asked && html`<noscript><meta http-equiv="refresh" content="${AGAIN_S}"></noscript>`;
  return officerPage({
    title: t('voting-admin.chair.chair', { title: election.title }),
    body,
    nav: '/admin',
    viewer,
    ...(head && { head }),
  });
}

const DONE: Readonly<Record<string, Words>> = {
  closed: t('voting-admin.chair.voting_closed_next_ballot_refused'),
  announced: t('voting-admin.chair.result_announced_everybody_see_now'),
};

/** The seconds after which the page is loaded again, without script. */
const AGAIN_S = 15;

export const chairPath = (id: string): string => adminElectionPath(id, 'chair');

function ledeOf({ election, opens, closes, left }: ChairProps): Words {
  switch (election.status) {
    case 'scheduled':
      return t('voting-admin.chair.voting_opens', { opens });
    case 'open':
      return left === null
        ? t('voting-admin.chair.voting_closes', { closes })
        : t('voting-admin.chair.voting_closes_left', { closes, left });
    case 'closed':
      return t('voting-admin.chair.voting_closed', { closes });
  }
}

function turnout({ election, turnout: { issued, used } }: ChairProps): Html {
  return html`<section class="chair-turnout" aria-label="${t('voting-admin.chair.turnout')}" data-turnout="${adminElectionPath(
    election.id,
  )}" data-status="${election.status}" data-turnout-page="${chairPath(election.id)}">
<p>${t('voting-admin.chair.voted', {
    voted: (inside) => html`<strong><span data-figure="used">${inside}</span></strong>`,
    all: (inside) => html`<span data-figure="tokens">${inside}</span>`,
    used,
    issued,
  })}</p>
${issued > 0 && barDrawing(shareOf(used, issued), true)}
<p class="visually-hidden" role="status" data-turnout-news></p>
</section>`;
}

function closePanel({ election, turnout: { issued, used } }: ChairProps): Html {
  const waiting = issued - used;
  const text =
    waiting > 0
      ? t('voting-admin.chair.people_voted_yet_longer_able', { waiting })
      : t('voting-admin.chair.everybody_voting_code_voted');
  return askSection(
    confirmPanel({
      title: t('voting-admin.chair.close_election_now'),
      text,
      action: adminElectionPath(election.id, 'close?from=chair'),
      button: t('voting-admin.chair.close_voting_now'),
    }),
    chairPath(election.id),
    t('voting-admin.chair.continue_voting'),
  );
}
