import { type Html, html } from '#kernel/html.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import type { ElectionDesk } from './desk.ts';

/** Closing before time, copying, deleting. */
export function endingSection({ election: { id, status } }: ElectionDesk, said: Html | null): Html {
  const ask = (kind: string) => `${deskPath(id)}?ask=${kind}#ask`;
  return deskSection({
    id: 'ending',
    title: status === 'closed' ? 'Copy or delete' : 'Close, copy or delete',
    about: 'You are told what goes before anything does.',
    work: html`${said}<ul class="deeds" role="list">
${status !== 'closed' && html`<li><p>Close voting before its time.</p><a class="button button-danger-quiet" href="${ask('close')}">Close …</a></li>`}
<li><p>Make a new election like this one, without tokens, ballots and results. It opens tomorrow; you can change that.</p><form method="post" action="${deskPath(id, 'clone')}"><button class="button button-quiet">Copy</button></form></li>
<li><p>Delete the election with everything in it.</p><a class="button button-danger-quiet" href="${ask('delete')}">Delete …</a></li>
</ul>`,
  });
}
