import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { formatPercent } from '#kernel/locale.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { empty, notice } from '#views/components/notices.ts';
import { type ListPages, numberedPages, pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite, recordPath } from './frame.ts';

export interface ListedPicture {
  id: string;
  alt: string;
  decorative: boolean;
  /** In words. */
  added: string;
  uses: readonly { kind: string; id: string; title: string }[];
}

export interface PicturesPageProps extends ContentPageProps {
  pictures: readonly ListedPicture[];
  /** The used share of the storage for pictures, in per cent. */
  taken: number;
  pages: ListPages;
  done?: string | undefined;
  refused?: RefusedForm | undefined;
}

/** All pictures, the newest first. */
export function picturesPage(props: PicturesPageProps): Html {
  const { pictures, taken, pages, done, refused } = props;
  const list =
    pictures.length === 0
      ? empty(
          'Nothing here yet',
          'Pictures are added where they are shown: in an event or an announcement, or for somebody behind the bar.',
        )
      : html`<ul class="content-pictures" role="list">${pictures.map(
          (picture) =>
            html`<li><img src="/api/admin/pictures/${picture.id}/file?size=480" alt="" width="160" height="160" loading="lazy">
<p>${picture.decorative ? 'Only decoration' : picture.alt || 'Nobody has said it yet'}</p>
${usesOf(picture, mayWrite(props))}<p class="small soft">${picture.added}</p></li>\n`,
        )}</ul>`;
  const body = html`${pageHeader({
    title: 'Pictures',
    crumbs: [CONTENT_CRUMB],
    lede: `${formatPercent(taken / 100)} of the room for pictures is taken. What nothing uses is deleted after 30 days.`,
  })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice('danger', refused.message, 'It was not deleted')}</div>`
}
${
  taken >= 80 &&
  notice(
    'attention',
    'Delete what is not needed any more. When there is no room, no picture can be added.',
    'There is little room left',
  )
}
${list}
${pages.total > pictures.length && numberedPages({ ...pages, of: 'pictures' })}`;
  return contentPage('Pictures', body, props);
}

function usesOf({ id, alt, uses }: ListedPicture, write: boolean): Html {
  if (uses.length > 0)
    return html`${uses.map(
      (use) => html`<p><a class="content-link" href="${usePath(use)}">${use.title}</a></p>`,
    )}`;
  const remove = html`
  <form class="content-step" method="post" action="/admin/content/pictures/${id}/remove"><button class="button button-text button-small">Delete<span class="visually-hidden"> ${alt || 'this picture'}</span></button></form>`;
  return html`<p>Used by nothing</p>${write && remove}`;
}

function usePath({ kind, id }: ListedPicture['uses'][number]): string {
  if (kind === 'settings') return groupPath('look');
  if (kind === 'screen') return `/admin/pub/screens/${id}`;
  return kind === 'election' ? `/admin/elections/${id}` : recordPath({ name: kind }, id);
}
