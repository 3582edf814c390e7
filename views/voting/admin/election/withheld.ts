import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { officerPage } from '#views/voting/admin/frame.ts';
import { adminElectionPath } from '#views/voting/words.ts';

/** Says whose votes withheld figures could show, and lets an owner show them. */
export function withheldPage({
  election: { id, title },
  withheld,
  ballots,
  from,
  until,
  mayShow,
  viewer,
}: {
  election: { id: string; title: string };
  withheld: boolean;
  /** Ballots since the re-opening. */
  ballots: number;
  from: string;
  until: string;
  mayShow: boolean;
  viewer: Viewer | undefined;
}): Html {
  const people = counted(ballots, 'person', 'people');
  const text = html`They could show the votes of the <strong>${people}</strong> who voted
  between ${from}, when voting was opened again, and ${until}: everybody who kept the result of before can subtract
  it. Ask these people first.`;
  const panel = mayShow
    ? confirmPanel({
        title: 'Show the figures?',
        text,
        action: adminElectionPath(id, 'withheld'),
        button: 'Show the figures to everybody',
      })
    : html`<p>${text}</p><p>Only an owner can show them.</p>`;
  const body = html`${pageHeader({
    title: 'Figures that stay hidden',
    lede: title,
    crumbs: [{ href: adminElectionPath(id), label: title }],
  })}
${withheld ? panel : html`<p>No figures of this election are withheld.</p>`}`;
  return officerPage({ title: 'Figures that stay hidden', body, nav: '/admin', viewer });
}
