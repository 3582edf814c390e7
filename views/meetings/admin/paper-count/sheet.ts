import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { PaperAlarm, PaperSheet } from '#meetings/paper-count/sheet.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { channelsSentence } from '#views/voting/words.ts';
import type { Channels } from '#voting/elections/turnout.ts';
import { itemPath } from './papers.ts';

/** The data of the page with the reconciliation sheet of an item. */
export interface SheetProps extends OfficerProps {
  meeting: { id: string; title: string; when: Words };
  item: { id: string; number: string; title: string };
  sheet: Partial<PaperSheet> & { handed_out: number };
  alarm: PaperAlarm | undefined;
  channels: Channels | undefined;
}

/** The reconciliation sheet of an item, to print and to sign. */
export function sheetPage({ meeting, item, sheet, alarm, channels, viewer }: SheetProps): Html {
  const body = html`${pageHeader({
    title: t('meetings-admin.shared.reconciliation_sheet'),
    lede: t('meetings-admin.sheet.lede', {
      number: item.number,
      title: item.title,
      meeting: meeting.title,
      when: meeting.when,
    }),
    crumbs: [
      { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
      {
        href: itemPath(meeting.id, item.id).concat('/papers'),
        label: t('meetings-admin.shared.ballots_paper'),
      },
    ],
    actions: html`<button class="button" type="button" data-print hidden>${t('meetings-admin.shared.print')}</button>`,
  })}
${sheetTable(sheet)}
${
  alarm &&
  notice(
    'attention',
    sheet.note ?? t('meetings-admin.sheet.noted_yet_why_change_result'),
    t('meetings-admin.shared.more_papers_handed_out'),
  )
}
${sheet.no_more !== undefined && notice('attention', sheet.no_more, t('meetings-admin.sheet.chair_wait_more_papers'))}
${channels && html`<p>${channelsSentence(channels)}</p>`}
<div class="signatures"><p>${t('meetings-admin.sheet.teller')}</p><p>${t('meetings-admin.sheet.teller')}</p></div>`;
  return officerPage({
    title: t('meetings-admin.sheet.document_title', { title: item.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

/** The figures of a sheet, those that may be seen. */
function sheetTable(sheet: SheetProps['sheet']): Html {
  const rows: [Words, number | null | undefined][] = [
    [t('meetings-admin.shared.printed'), sheet.printed],
    [t('meetings-admin.sheet.handed_out_against_cards'), sheet.handed_out],
    [t('meetings-admin.shared.handed_back'), sheet.returned],
    [t('meetings-admin.shared.box'), sheet.in_box],
    [t('meetings-admin.shared.valid'), sheet.valid],
    [t('meetings-admin.shared.blank'), sheet.blank],
    [t('meetings-admin.shared.invalid'), sheet.invalid],
  ];
  return table({
    caption: t('meetings-admin.shared.papers'),
    quietCaption: true,
    columns: [
      { label: t('meetings-admin.shared.papers') },
      { label: t('meetings-admin.sheet.number'), number: true },
    ],
    rows: rows
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => [label, value == null ? t('meetings-admin.sheet.not_counted') : count(value)]),
  });
}
