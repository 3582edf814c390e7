import { type Html, html } from '#kernel/html.ts';
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
  meeting: { id: string; title: string; when: string };
  item: { id: string; number: string; title: string };
  sheet: Partial<PaperSheet> & { handed_out: number };
  alarm: PaperAlarm | undefined;
  channels: Channels | undefined;
}

/** The reconciliation sheet of an item, to print and to sign. */
export function sheetPage({ meeting, item, sheet, alarm, channels, viewer }: SheetProps): Html {
  const body = html`${pageHeader({
    title: 'Reconciliation sheet',
    lede: `${item.number}. ${item.title}. ${meeting.title}, ${meeting.when}`,
    crumbs: [
      { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
      { href: itemPath(meeting.id, item.id).concat('/papers'), label: 'Ballots on paper' },
    ],
    actions: html`<button class="button" type="button" data-print hidden>Print</button>`,
  })}
${sheetTable(sheet)}
${
  alarm &&
  notice(
    'attention',
    sheet.note ?? 'It is not noted yet why that does not change the result.',
    'More papers than were handed out',
  )
}
${sheet.no_more !== undefined && notice('attention', sheet.no_more, 'The chair did not wait for more papers')}
${channels && html`<p>${channelsSentence(channels)}</p>`}
<div class="signatures"><p>Teller</p><p>Teller</p></div>`;
  return officerPage({
    title: `Reconciliation sheet: ${item.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

/** The figures of a sheet, those that may be seen. */
function sheetTable(sheet: SheetProps['sheet']): Html {
  const rows: [string, number | null | undefined][] = [
    ['Printed', sheet.printed],
    ['Handed out against cards', sheet.handed_out],
    ['Handed back', sheet.returned],
    ['In the box', sheet.in_box],
    ['Valid', sheet.valid],
    ['Blank', sheet.blank],
    ['Invalid', sheet.invalid],
  ];
  return table({
    caption: 'Papers',
    quietCaption: true,
    columns: [{ label: 'Papers' }, { label: 'Number', number: true }],
    rows: rows
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => [label, value == null ? 'not counted' : count(value)]),
  });
}
