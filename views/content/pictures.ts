import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { formatPercent } from '#kernel/locale.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { empty, notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { type ListPages, numberedPages, pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite, recordPath } from './frame.ts';

export interface ListedPicture {
  id: string;
  alt: string;
  decorative: boolean;
  /** In words. */
  added: Words;
  uses: readonly { kind: string; id: string; title: Words | string }[];
}

export interface PicturesPageProps extends ContentPageProps {
  pictures: readonly ListedPicture[];
  /** The used share of the storage for pictures, in per cent. */
  taken: number;
  pages: ListPages;
  done?: Words | undefined;
  refused?: RefusedForm | undefined;
}

/** All pictures, the newest first. */
export function picturesPage(props: PicturesPageProps): Html {
  const { pictures, taken, pages, done, refused } = props;
  const list =
    pictures.length === 0
      ? empty(
          t('content-admin.pictures.nothing_here_yet'),
          t('content-admin.pictures.pictures_added_where_shown_event'),
        )
      : html`<ul class="content-pictures" role="list">${pictures.map(
          (picture) =>
            html`<li><img src="/api/admin/pictures/${picture.id}/file?size=480" alt="" width="160" height="160" loading="lazy">
<p>${picture.decorative ? t('content-admin.pictures.only_decoration') : picture.alt || t('content-admin.pictures.said_yet')}</p>
${usesOf(picture, mayWrite(props))}<p class="small soft">${picture.added}</p></li>\n`,
        )}</ul>`;
  const body = html`${pageHeader({
    title: t('content-admin.pictures.pictures'),
    crumbs: [CONTENT_CRUMB],
    lede: t('content-admin.pictures.room_pictures_taken_what_nothing', {
      percent: formatPercent(taken / 100),
    }),
  })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice('danger', refused.message, t('content-admin.pictures.deleted'))}</div>`
}
${
  taken >= 80 &&
  notice(
    'attention',
    t('content-admin.pictures.delete_what_needed_any_more'),
    t('content-admin.pictures.little_room_left'),
  )
}
${list}
${pages.total > pictures.length && numberedPages({ ...pages, of: (shown) => t('content-admin.pictures.shown', shown) })}`;
  return contentPage(t('content-admin.pictures.pictures'), body, props);
}

function usesOf({ id, alt, uses }: ListedPicture, write: boolean): Html {
  if (uses.length > 0)
    return html`${uses.map(
      (use) => html`<p><a class="content-link" href="${usePath(use)}">${use.title}</a></p>`,
    )}`;
  const remove = html`
  <form class="content-step" method="post" action="/admin/content/pictures/${id}/remove"><button class="button button-text button-small">${alt ? t('content-admin.pictures.delete', { hidden, alt }) : t('content-admin.pictures.delete_picture', { hidden })}</button></form>`;
  return html`<p>${t('content-admin.pictures.used_nothing')}</p>${write && remove}`;
}

function usePath({ kind, id }: ListedPicture['uses'][number]): string {
  if (kind === 'settings') return groupPath('look');
  if (kind === 'screen') return `/admin/pub/screens/${id}`;
  return kind === 'election' ? `/admin/elections/${id}` : recordPath({ name: kind }, id);
}
