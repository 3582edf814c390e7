import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import type { Section } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath, adminPath, askPath } from '#views/voting/words.ts';
import { type ExportFormat, handlingOf } from '#voting/ballots/ballot-types.ts';
import { LISTED_FROM } from '#voting/shared/ballot-file.ts';
import { type ElectionPageProps, isAwaited } from './props.ts';

/** Where the result comes from, who can see it, and the downloads. */
export function resultsSection(props: ElectionPageProps): Section {
  const { election, publication, manual, ballots, meeting } = props;
  const begun = election.status !== 'scheduled' || Boolean(manual);
  const path = (under: string) => adminPath(election, under);
  return {
    id: 'results',
    title: t('voting-admin.results.results'),
    about:
      election.settings.announce === 'by_officer'
        ? t('voting-admin.results.officers_who_certify_results_see')
        : t('voting-admin.results.officers_see_when_voters'),
    work: html`<p>${sourceOf(props)} ${whoSees(props)}</p>
<div class="toolbar">${
      begun &&
      props.hidden === undefined &&
      html`<a class="button button-quiet" href="${path('results-preview')}">${
        election.status === 'closed'
          ? t('voting-admin.results.look_result')
          : t('voting-admin.results.look_result_far')
      }</a>`
    }
${isAwaited(props) && !meeting && mayDo(props, 'elections:certify') && announceForm(election.id, { button: 'button button-quiet' })}
${mayDo(props, 'elections:write') && !election.trial && publishForm(election.id, publication.published)}</div>
${
  mayDo(props, 'elections:export') &&
  html`<h3>${t('voting-admin.results.download_ballots')}</h3>
${exportsOf(props, ballots)}`
}
${
  mayDo(props, 'elections:certify') &&
  !election.trial &&
  html`<h3>${t('voting-admin.results.certified_results')}</h3>
<p>${t('voting-admin.results.figures_counted_elsewhere_paper_meeting')}</p>
<div class="toolbar"><a class="button button-quiet" href="${path('manual-results')}">${
    manual
      ? t('voting-admin.results.change_certified_results')
      : t('voting-admin.results.enter_certified_results')
  }</a>
${
  manual &&
  html`<a class="button button-quiet" href="${askPath(election, 'computed')}">${t('voting-admin.results.back_counted_result')}</a>`
}</div>`
}`,
  };
}

/** The form that puts an election on the home page, or takes it off. */
export function publishForm(id: string, published: boolean, button = 'button button-quiet'): Html {
  const value = published ? 'false' : 'true';
  return html`<form method="post" action="${adminElectionPath(id, 'settings?_method=PATCH')}">${hiddenInputs({
    'settings.publish_results_to_home': value,
  })}
<button class="${button}">${published ? t('voting-admin.results.take_off_home_page') : t('voting-admin.results.put_home_page')}</button></form>`;
}

/** The form that announces a result. */
export function announceForm(id: string, { button = 'button', from = '' } = {}): Html {
  return html`<form method="post" action="${adminElectionPath(id, `announce${from && `?from=${from}`}`)}">
<button class="${button}">${t('voting-admin.results.announce_result')}</button></form>`;
}

function sourceOf({ manual, ballots, election }: ElectionPageProps): Words {
  if (manual)
    return t('voting-admin.results.result_certified_hand_contests_items', {
      contests: manual.contests,
      items: manual.items,
    });
  if (election.status === 'scheduled') return t('voting-admin.results.nothing_count_yet');
  return t('voting-admin.results.result_counted_ballots', { ballots });
}

/** Says whether the home page and the voters’ page show the result. */
function whoSees({
  publication: { published, results_visible: visible },
  hidden,
  election,
}: ElectionPageProps): Words {
  const of = { published: published ? 'yes' : 'other' } as const;
  if (election.status === 'scheduled') return t('voting-admin.results.where', of);
  if (election.status === 'closed' && !visible)
    return hidden === 'results_withheld'
      ? t('voting-admin.results.where_withheld', of)
      : t('voting-admin.results.where_not_announced', of);
  if (!visible) return t('voting-admin.results.where_hidden', of);
  return election.status === 'closed'
    ? t('voting-admin.results.where_result', of)
    : t('voting-admin.results.where_result_so_far', of);
}

function exportsOf({ election, hidden }: ElectionPageProps, ballots: number): Html {
  if (ballots === 0)
    return html`<p class="soft">${
      election.status === 'closed' ? t('voting-admin.results.ballots') : t('voting-admin.results.ballots_yet')
    }</p>`;
  if (hidden !== undefined)
    return html`<p class="soft">${hidden === 'results_hidden' ? t('voting-admin.results.ballots_result_downloaded_once_voting') : t('voting-admin.results.ballots_result_downloaded_once_shown')}</p>`;
  if (election.status !== 'closed' && ballots < LISTED_FROM)
    return html`<p class="soft">${t('voting-admin.results.before_voting_closes_ballots_downloaded', { listed: LISTED_FROM })}</p>`;
  const link = (format: ExportFormat) =>
    html`<a class="button button-quiet" href="${adminPath(
      election,
      `export?format=${format}`,
    )}">${FORMATS[format]}</a>`;
  return html`<p>${t('voting-admin.results.anonymous_ballots_random_order_json', { ballots })}</p>
<div class="toolbar">${handlingOf(election.ballot_type).formats.map(link)}</div>`;
}

const FORMATS: Record<ExportFormat, Words | string> = {
  csv: 'CSV',
  json: 'JSON',
  cef: t('voting-admin.results.condorcet_format'),
  blt: 'BLT',
};
