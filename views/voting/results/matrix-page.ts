import { type Html, html } from '#kernel/html.ts';
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
  const title = pairs ? 'Every pair' : 'Strongest chains';
  const body = html`${pageHeader({
    title,
    eyebrow: 'Result',
    lede: election.title,
    crumbs: [{ href: `/e/${election.id}`, label: 'About this election' }],
  })}
${voided && voidNotice(voided)}${matrix}
<p><a class="link-alone" href="${pairs ? `${path}?of=chains` : path}">${
    pairs ? 'Strongest chains' : 'Every pair'
  }</a></p>`;
  return page({ title: `${title}: ${election.title}`, body });
}

/** The address of the matrix of pairs; with `?of=chains`, that of the strongest chains. */
export const matrixPath = (electionId: string): string => `/e/${electionId}/results/matrix`;
