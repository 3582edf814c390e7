import { type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** Why a typed code leads to no ballot. Times are already formatted. */
export type CodeRefusal =
  | { state: 'empty' | 'misread' | 'unreadable' | 'unknown' | 'withdrawn' | 'replaced' }
  | { state: 'length'; length: number }
  | {
      state: 'used' | 'scheduled' | 'paused' | 'closed';
      election: { id: string; title: string; isPaper: boolean };
      when: string;
    }
  | {
      state: 'void';
      election: { id: string; title: string; isPaper: boolean };
      reason: string;
      isRepeated: boolean;
    };

/** The page with one field for a voting code, what was typed, and the error. */
export function typedCodePage({ text, refusal }: { text: string; refusal?: CodeRefusal }): Html {
  const heading = 'Type your voting code';
  const body = html`${pageHeader({
    title: heading,
    lede: 'It is on your voting slip: sixteen letters and digits in four groups. Your ballot opens next.',
  })}
${codeForm({ text, error: refusal && errorText(refusal) })}
${
  refusal &&
  'election' in refusal &&
  html`
<p><a class="button button-quiet" href="/${refusal.election.isPaper ? 'p' : 'e'}/${refusal.election.id}">About “${refusal.election.title}”</a></p>`
}
${notice(
  'info',
  html`Got an e-mail instead? Open its link, or paste
it here. <a href="/vote/my-elections">Have your link mailed again</a>.`,
)}`;
  return page({ title: heading, body });
}

/** The form that opens the ballot of a code; the text may be anything that contains the code, such as a link. */
export function codeForm({
  text = '',
  error,
}: {
  text?: string | undefined;
  error?: string | undefined;
}): Html {
  return html`<form method="post" action="/vote" class="code-form">
${field({
  name: 'code',
  label: 'Voting code',
  hint: 'Capital letters, spaces and hyphens do not matter.',
  value: text,
  autocomplete: 'off',
  autocapitalize: 'characters',
  inputmode: 'text',
  spellcheck: false,
  maxlength: 8_000,
  error,
})}
<button class="button">Open my ballot</button></form>`;
}

/** What is wrong with a code, and what to do. */
function errorText(refusal: CodeRefusal): string {
  switch (refusal.state) {
    case 'empty':
      return 'Type the code from your slip.';
    case 'misread':
      return (
        'One character was misread: please compare each one with your slip. Letters O, I and L do not occur, ' +
        'they are digits.'
      );
    case 'length':
      return `A code has 16 letters and digits, and this has ${refusal.length}: please compare it with your slip.`;
    case 'unreadable':
      return 'There is no voting code in this. It looks like K7P4-2MQX-9TDW-5HRC; in a mail it is the end of the link.';
    case 'unknown':
      return 'No election knows this code. Compare it with your slip; if it is the same, ask an officer for a new one.';
    case 'withdrawn':
      return (
        'This code was withdrawn by an officer, so it opens no ballot. If you should have a vote, ask an ' +
        'officer of the club.'
      );
    case 'replaced':
      return 'This code was replaced by a new one. Use the newest mail or slip, or ask an officer of the club.';
    case 'void':
      return `Voting on “${refusal.election.title}” was declared void: ${refusal.reason}. ${
        refusal.isRepeated
          ? 'It is repeated, and everybody gets a new code: use your new slip or mail, or ask an officer of the club.'
          : 'This code opens no ballot any more.'
      }`;
    case 'used':
      return `${
        refusal.election.isPaper
          ? 'Every question that is open was already answered with this code'
          : 'A ballot was already recorded with this code'
      }, for “${refusal.election.title}”. If that was you, all is well. If it was not, tell an officer at once.`;
    case 'scheduled':
      return `Your code is good. Voting on “${refusal.election.title}” opens ${refusal.when}: come back then.`;
    case 'paused':
      return `Your code is good. Voting on “${refusal.election.title}” is paused and resumes ${refusal.when}: come back then.`;
    case 'closed':
      return `Voting on “${refusal.election.title}” closed ${refusal.when}. No more ballots are accepted.`;
  }
}
