import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { PaperAlarm, PaperSheet } from '#meetings/paper-count/sheet.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { inClubLanguage } from '#views/components/slots.ts';
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

/** The reconciliation sheet of an item, to print and to sign: in the language of the club. */
export function sheetPage(props: SheetProps): Html {
  const { meeting, item, viewer } = props;
  const body = html`${pageHeader({
    title: `${item.number}. ${item.title}`,
    crumbs: [
      { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
      {
        href: itemPath(meeting.id, item.id).concat('/papers'),
        label: t('meetings-admin.shared.ballots_paper'),
      },
    ],
    actions: html`<button class="button" type="button" data-print hidden>${t('meetings-admin.shared.print')}</button>`,
  })}
${inClubLanguage((lang) => html`<article class="paper-sheet"${lang}>${signedSheet(props)}</article>`)}`;
  return officerPage({
    title: t('meetings-admin.sheet.document_title', { title: item.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

const signedSheet = ({ meeting, item, sheet, alarm, channels }: SheetProps): Html =>
  html`<h2>${t('meetings.sheet.title')}</h2><p>${t('meetings.sheet.lede', {
    number: item.number,
    title: item.title,
    meeting: meeting.title,
    when: meeting.when,
  })}</p>
${sheetTable(sheet)}
${
  alarm &&
  notice('attention', sheet.note ?? t('meetings.sheet.no_reason_yet'), t('meetings.sheet.more_papers'))
}
${sheet.no_more !== undefined && notice('attention', sheet.no_more, t('meetings.sheet.no_wait'))}
${channels && html`<p>${channelsSentence(channels)}</p>`}
<div class="signatures"><p>${t('meetings.sheet.teller')}</p><p>${t('meetings.sheet.teller')}</p></div>`;

/** The figures of a sheet, those that may be seen. */
function sheetTable(sheet: SheetProps['sheet']): Html {
  const rows: [Words, number | null | undefined][] = [
    [t('meetings.minutes.printed'), sheet.printed],
    [t('meetings.sheet.handed_out'), sheet.handed_out],
    [t('meetings.minutes.returned'), sheet.returned],
    [t('meetings.minutes.in_box'), sheet.in_box],
    [t('meetings.minutes.valid'), sheet.valid],
    [t('meetings.minutes.blank'), sheet.blank],
    [t('meetings.minutes.invalid'), sheet.invalid],
  ];
  return table({
    caption: t('meetings.sheet.papers'),
    quietCaption: true,
    columns: [{ label: t('meetings.sheet.papers') }, { label: t('meetings.sheet.number'), number: true }],
    rows: rows
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => [label, value == null ? t('meetings.sheet.not_counted') : count(value)]),
  });
}
