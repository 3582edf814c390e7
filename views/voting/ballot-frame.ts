import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { disclosure, pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { ElectionJson, ElectionSettings } from '#voting/elections/elections.ts';
import { type SecrecySettings, secrecyWords } from './words.ts';

/** What a ballot page says of the election's settings. */
type BallotSettings = SecrecySettings & Partial<Pick<ElectionSettings, 'ranking'>>;

/** Descriptions up to this length, and of this many lines, stand open on a ballot. */
const SHORT = { characters: 300, lines: 6 };

/** What every ballot page is given. Options and candidates come in the order to show. */
export interface BallotFrameProps {
  election: Pick<ElectionJson, 'id' | 'title' | 'description' | 'attachment_url'> & {
    settings: BallotSettings;
  };
  /** When voting closes, as a ready string. */
  closes: string;
  token: string;
  /** Made with the page and kept until the ballot is answered. */
  submissionId: string;
  /** Of elections with inclusion codes. */
  inclusionCode?: string | null | undefined;
  /** The places of shuffled options, `3,1,2`: the pages that follow show the same order. */
  shownOrder?: string | null | undefined;
  errors?: readonly FieldError[] | undefined;
}

/** A ballot page: the question, until when, why it is secret, and the form round the choices. */
export function ballotFrame(
  props: BallotFrameProps,
  {
    ask,
    choices,
    idOf,
    scripts,
    ranking,
    progress,
  }: {
    ask: Child;
    choices: Html;
    idOf: (path: string) => string;
    scripts?: string[];
    ranking?: ElectionSettings['ranking'];
    /** How far a long ballot is, beside the button. */
    progress?: Html;
  },
): Html {
  const { election, closes, shownOrder, errors = [] } = props;
  // A browser that loads the page again would put what was entered back by place, and the options have moved.
  const noRestore = shownOrder && html` autocomplete="off"`;
  const body = html`${errorSummary(errors, idOf, 'Your ballot is not complete yet')}
${pageHeader({ title: election.title, eyebrow: 'Your ballot', crumbs: [{ href: `/e/${election.id}`, label: 'About this election' }] })}
<p>Voting closes <strong>${closes}</strong>.</p>
${election.description && about(election.description)}
${documentLink(election.attachment_url)}
<form class="ballot" method="post" action="/e/${election.id}/vote/review"${ranking && html` data-ranking="${ranking}"`}${noRestore}>
${ballotSecrets(props)}${hiddenInputs({ shown_order: shownOrder })}
${ask}
${choices}
<div class="actions">${progress}<button class="button button-large">Review my choice</button></div>
<p class="small soft">Nothing is cast yet. You see your choice once more on the next page.</p>
</form>
<div class="panel">${secrecy(election.settings)}</div>`;
  return page({
    title: `${errors.length > 0 ? 'Please check: ' : ''}Ballot: ${election.title}`,
    body,
    scripts,
  });
}

/** What is voted on: open where that takes little room, else folded. */
function about(description: string): Html {
  const short = description.length <= SHORT.characters && description.split('\n').length <= SHORT.lines;
  return short ? plainText(description) : disclosure('What this is about', plainText(description));
}

/** The document that belongs to an election, with the host that it leads to. */
export function documentLink(url: string | null): Html | null {
  if (url === null) return null;
  return html`<p><a class="print-address" href="${url}" rel="noreferrer noopener">Read the attached document</a> <span class="soft small">(${URL.parse(url)?.host})</span></p>`;
}

/** Why a ballot is secret, in a few sentences behind a link. */
export function secrecy(settings: SecrecySettings): Html {
  return disclosure('Your vote is secret. How?', html`<p>${secrecyWords(settings)}</p>`);
}

/** What has to travel from page to page with a choice. */
export function ballotSecrets(
  props: Pick<BallotFrameProps, 'token' | 'submissionId' | 'inclusionCode'>,
): Html[] {
  return hiddenInputs({
    token: props.token,
    submission_id: props.submissionId,
    inclusion_code: props.inclusionCode,
  });
}
