import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { itemBadge, KIND_WORDS, meetingPath, wording } from '#views/meetings/words.ts';
import { type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { errorsByInput, ITEM_LABELS, itemForm, itemInputId, joinForm, newItemForm } from './agenda.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of the page that adds an item to an agenda or changes one. */
interface ItemPageProps extends OfficerProps {
  meeting: MeetingPlace & { classes: readonly string[] };
  refused?: RefusedForm | undefined;
}

/**
 * Adds an item to an agenda.
 * @param joinable elections that are prepared and could be put on it
 * @param items how many items it has, where one was just added
 */
export function newItemPage({
  joinable,
  items,
  ...props
}: ItemPageProps & {
  joinable: readonly { value: string; label: string }[];
  items: number | undefined;
}): Html {
  const { meeting, refused } = props;
  const given = refused ? { ...refused, errors: errorsByInput(refused.errors) } : { entered: {}, errors: [] };
  return page(props, {
    title: t('meetings-admin.shared.new_item'),
    item: 'new',
    said:
      items !== undefined &&
      html`<p>${t('meetings-admin.item.item_agenda_which_items_now', { n: items, link: (inside) => html`<a href="${meetingPath(meeting.id)}">${inside}</a>` })}</p>`,
    content: html`${newItemForm(meeting.id, meeting.classes, given)}${
      joinable.length > 0 &&
      pageSection({
        id: 'join',
        title: t('meetings-admin.item.add_election_prepared'),
        work: joinForm(meeting.id, meeting.classes, joinable),
      })
    }`,
  });
}

/** Changes an item of an agenda, as long as nobody voted on it. @param mayWrite whether this officer may, now */
export function itemPage({
  item,
  mayWrite,
  ...props
}: ItemPageProps & { item: ItemJson; mayWrite: boolean }): Html {
  const { meeting, refused } = props;
  const given = refused && { ...refused, errors: errorsByInput(refused.errors) };
  return page(props, {
    title: item.title,
    eyebrow: html`${KIND_WORDS[item.kind]} ${itemBadge(item)}`,
    item: item.id,
    content:
      mayWrite && item.state === 'prepared'
        ? itemForm(meeting.id, meeting.classes, item, given)
        : html`${wording(item)}<p class="soft">${t('meetings-admin.item.longer_changed_here_item_voted')}</p>`,
  });
}

function page(
  { meeting, refused, viewer }: ItemPageProps,
  {
    title,
    eyebrow,
    item,
    said,
    content,
  }: { title: Words | string; eyebrow?: Html; item: string; said?: Html | false; content: Html },
): Html {
  const shown = refused && { ...refused, errors: errorsByInput(refused.errors) };
  const body = html`${refusedNotice(shown, ITEM_LABELS, (name) => itemInputId(name, item))}${said && notice('success', said)}
${pageHeader({
  title,
  eyebrow,
  crumbs: [
    { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
    { href: meetingPath(meeting.id), label: meeting.title },
  ],
})}
${besideMeeting({ meeting, viewer }, content)}`;
  return officerPage({
    title: t('meetings-admin.item.page_title', { title, meeting: meeting.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['admin/election-form.js'],
  });
}
