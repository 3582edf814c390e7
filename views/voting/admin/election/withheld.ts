import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { strong } from '#views/components/slots.ts';
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
  from: Words | string;
  until: Words | string;
  mayShow: boolean;
  viewer: Viewer | undefined;
}): Html {
  const text = t('voting-admin.withheld.show_votes_who_voted_between', { strong, ballots, from, until });
  const panel = mayShow
    ? confirmPanel({
        title: t('voting-admin.withheld.show_figures'),
        text,
        action: adminElectionPath(id, 'withheld'),
        button: t('voting-admin.withheld.show_figures_everybody'),
      })
    : html`<p>${text}</p><p>${t('voting-admin.withheld.only_owner_show')}</p>`;
  const body = html`${pageHeader({
    title: t('voting-admin.withheld.figures_stay_hidden'),
    lede: title,
    crumbs: [{ href: adminElectionPath(id), label: title }],
  })}
${withheld ? panel : html`<p>${t('voting-admin.withheld.figures_election_withheld')}</p>`}`;
  return officerPage({ title: t('voting-admin.withheld.figures_stay_hidden'), body, nav: '/admin', viewer });
}
