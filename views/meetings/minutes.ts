import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Block, MinutesVersion } from '#meetings/minutes/versions.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { minutesArticle, type ShownSignature } from './minutes/article.ts';

/** The data of the minutes as everybody reads them: signed, without annexes. */
export interface PublicMinutesProps {
  meeting: { id: string; title: string };
  blocks: readonly Block[];
  signatures: readonly ShownSignature[];
  version: number;
  versions: readonly Pick<MinutesVersion, 'version'>[];
}

/** The signed minutes for everybody, and the versions that they corrected. */
export function publicMinutesPage({
  meeting,
  blocks,
  signatures,
  version,
  versions,
}: PublicMinutesProps): Html {
  const last = versions.at(-1)?.version ?? version;
  const others = versions.filter((one) => one.version !== version);
  const link = (number: number) => `/m/${meeting.id}/minutes?version=${number}`;
  const body = html`${pageHeader({
    title: t('meetings.minutes.title'),
    crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }],
  })}
${
  version < last &&
  notice(
    'attention',
    html`<a href="${link(last)}">${t('meetings.minutes.read_version', { n: last })}</a>`,
    t('meetings.minutes.corrected'),
  )
}
${minutesArticle(blocks, signatures)}
${
  others.length > 0 &&
  html`<p class="small screen-only">${t('meetings.minutes.other_versions', {
    versions: html`${others.map(
      (one) => html`<a href="${link(one.version)}">${t('meetings.minutes.version', { n: one.version })}</a> `,
    )}`,
  })}</p>`
}`;
  return page({
    title: t('meetings.minutes.page_title', { meeting: meeting.title }),
    body,
    head: stylesheets('meetings/meetings.css', 'meetings/minutes.css'),
  });
}
