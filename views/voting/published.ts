import { type Html, html } from '#kernel/html.ts';
import { hashText } from '#views/components/codes.ts';
import { counted } from '#views/components/numbers.ts';
import { disclosure } from '#views/components/structure.ts';
import type { ComputedResultsJson } from '#voting/counting/results.ts';

/** What was published at the close, and how anyone can check it. */
export function published(results: ComputedResultsJson, exportHref?: string): Html | null {
  const { ballot_set_sha256: fingerprint, inclusion_hashes: hashes } = results;
  if (fingerprint === undefined && hashes === undefined) return null;
  return html`${fingerprint !== undefined && disclosure('What was published', fingerprintText(fingerprint, exportHref))}
${hashes !== undefined && disclosure('Is my ballot in the box?', inclusionText(hashes))}`;
}

function fingerprintText(fingerprint: string, exportHref: string | undefined): Html {
  return html`<p>At the close the ballots were sorted and sealed with a fingerprint. If a single ballot were added, removed or changed later, it would be a different one. Write it down, or keep the mail that carries it.</p>
<p>${hashText(fingerprint)}</p>
<p class="small soft">SHA-256 of the sorted ballot set. Anyone who holds the export of the ballots can count it again on another machine.</p>
${exportHref !== undefined && html`<p><a class="link-alone" href="${exportHref}">Download the ballots</a></p>`}`;
}

function inclusionText(hashes: readonly string[]): Html {
  return html`<p>When you voted you were shown a code. Its SHA-256 is in this list if your ballot is in the box. The list says nothing about choices, so it cannot show how anyone voted. Keep your code to yourself.</p>
<p>To work out the SHA-256 of your code, on a Mac or on Linux type this in a terminal, with your code in place of the word:</p>
<p><code>printf %s your-code | shasum -a 256</code></p>
<p>Then look for the first characters in the list with your browser’s search.</p>
<p><strong>${counted(hashes.length, 'ballot')} in the list</strong></p>
<ol class="hash-list" tabindex="0" aria-label="Hashes of the codes">${hashes.map((hash) => html`<li>${hashText(hash)}</li>\n`)}</ol>`;
}
