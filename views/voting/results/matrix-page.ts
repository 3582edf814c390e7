import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { asWritten } from '#views/components/language.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { MatrixKind } from '#views/voting/types/ballot-view.ts';
import type { VoidJson } from '#voting/elections/void.ts';
import { voidNotice } from './results.ts';

export interface MatrixPageProps {
  election: { id: string; title: string };
  kind: MatrixKind;
  matrix: Html;
  /** Set if the election is void. */
  voided?: VoidJson | undefined;
}

/** A page with one matrix, for elections whose result page leaves the matrices out. */
export function matrixPage({ election, kind, matrix, voided }: MatrixPageProps): Html {
  const path = matrixPath(election.id);
  const pairs = kind === 'pairs';
  const title = pairs ? t('voting.matrix_page.every_pair') : t('voting.matrix_page.strongest_chains');
  const body = html`${pageHeader({
    title,
    eyebrow: t('voting.matrix_page.result'),
    lede: asWritten(election.title),
    crumbs: [{ href: `/e/${election.id}`, label: t('voting.matrix_page.about_election') }],
  })}
${voided && voidNotice(voided)}${matrix}
<p><a class="link-alone" href="${pairs ? `${path}?of=chains` : path}">${
    pairs ? t('voting.matrix_page.strongest_chains') : t('voting.matrix_page.every_pair')
  }</a></p>`;
  return page({ title: t('voting.matrix_page.title', { title, election: election.title }), body });
}

/** The address of the matrix of pairs; with `?of=chains`, that of the strongest chains. */
export const matrixPath = (electionId: string): string => `/e/${electionId}/results/matrix`;
