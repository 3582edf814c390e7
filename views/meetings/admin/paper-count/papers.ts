import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { ControlTotals } from '#meetings/paper-count/batches.ts';
import type { PaperAlarm, PaperSheet } from '#meetings/paper-count/sheet.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { itemBadge } from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';

/** The data of the page about the papers of an item. */
export interface PapersProps extends OfficerProps {
  meeting: { id: string; title: string };
  item: ItemJson;
  /** Whether cards were printed, against which papers are handed out. */
  hasCards: boolean;
  /** What may be seen of the sheet. */
  sheet: Partial<PaperSheet> & { handed_out: number };
  alarm: PaperAlarm | undefined;
  /** Other items that can be on the same paper. */
  others: readonly { id: string; title: string; state: ItemJson['state'] }[];
  batches: readonly {
    id: string;
    item: string;
    number: number;
    state: 'open' | 'joined';
    papers: number;
    entered: number;
  }[];
  /** Other items that were on the last paper: they are on the next one too. */
  handed: readonly string[];
  done: string | undefined;
  refused: (RefusedForm & { at: 'paper' | 'sheet' | 'batch' }) | undefined;
}

export const itemPath = (meetingId: string, itemId: string): string =>
  `/admin/meetings/${meetingId}/items/${itemId}`;

/** Hands out papers, prints them, counts them in batches, and has their sheet. */
export function papersPage(props: PapersProps): Html {
  const { meeting, item, done, refused, viewer } = props;
  const body = html`${done && html`<div role="status">${notice('success', done)}</div>`}${
    refused && notice('danger', refused.message, 'Nothing was changed')
  }
${pageHeader({
  title: 'Ballots on paper',
  eyebrow: itemBadge(item),
  lede: `${item.number}. ${item.title}`,
  crumbs: [
    { href: '/admin/meetings', label: 'Meetings' },
    ...(mayDo(props, 'elections:read')
      ? [
          { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
          { href: `/admin/meetings/${meeting.id}/chair`, label: 'Chair' },
        ]
      : []),
  ],
})}
${handingOut(props)}${counting(props)}${reconciling(props)}`;
  return officerPage({
    title: `Ballots on paper: ${item.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

function handingOut(props: PapersProps): Html {
  const { meeting, item, sheet, others, handed, refused } = props;
  const path = itemPath(meeting.id, item.id);
  const open = others.filter(({ state }) => state === 'open');
  const isRefused = refused?.at === 'paper';
  return pageSection({
    id: 'hand-out',
    title: 'Hand out',
    about: 'The card dies for this question alone. Nothing says who got which paper.',
    work: html`<p class="room-turnout"><strong>${count(sheet.handed_out)}</strong> handed out</p>${
      item.state === 'open' &&
      !props.hasCards &&
      notice(
        'attention',
        'A paper is handed out against a card, and counts in its place. Without cards, count the hands.',
        'No cards are printed',
      )
    }${
      item.state === 'open' && !props.hasCards
        ? null
        : item.state === 'open' && mayDo(props, 'meetings:door')
          ? html`<form method="post" action="${path}/paper">${openField({
              name: 'code',
              label: 'The code of the card',
              hint: 'Scan its square, or type it. Hand the paper over once this page says so.',
              error: isRefused ? errorAt(refused.errors, 'code') : undefined,
            })}${open.map(({ id, title }) =>
              tickBox({
                name: 'items',
                id: `hand-${id}`,
                value: id,
                label: `Also on this paper: ${title}`,
                checked: handed.includes(id),
              }),
            )}<div class="actions"><button class="button button-large">Hand out a paper</button></div></form>`
          : html`<p>${
              item.state === 'prepared'
                ? 'Papers are handed out once voting is open.'
                : 'Voting is over: no more papers are handed out.'
            }</p>`
    }${
      mayDo(props, 'elections:read') &&
      disclosure('Print papers', printForm(props), item.state === 'prepared')
    }`,
  });
}

function printForm({ meeting, item, others }: PapersProps): Html {
  return html`<form method="get" action="${itemPath(meeting.id, item.id)}/printed">
<div class="room-hands">${openField({ name: 'copies', label: 'Papers', type: 'number', value: '20', min: 1, short: true })}
${selectField({
  name: 'size',
  label: 'Sheet',
  options: [
    { value: 'a4', label: 'A4' },
    { value: 'a5', label: 'A5' },
  ],
})}
${selectField({ name: 'each', label: 'On each sheet', options: ['1', '2', '4'].map((value) => ({ value, label: value })) })}</div>${others.map(
    ({ id, title }) =>
      tickBox({
        name: 'items',
        id: `print-${id}`,
        value: id,
        label: `Also on this paper: ${title}`,
        checked: false,
      }),
  )}<div class="actions"><button class="button button-quiet">Show the papers to print</button></div></form>`;
}

function counting(props: PapersProps): Html {
  const { item, batches } = props;
  const isOver = item.state === 'closed' || item.state === 'declared';
  return pageSection({
    id: 'batches',
    title: 'Count',
    about:
      'Empty the box, mix the papers, and only then write a number on each. Two people enter each batch, neither seeing ' +
      'what the other enters.',
    work: html`${
      batches.length > 0 &&
      table({
        caption: 'Batches',
        quietCaption: true,
        columns: [{ label: 'Batch' }, { label: 'Papers', number: true }, { label: 'State' }],
        rows: batches.map((batch) => [
          html`<a href="${itemPath(props.meeting.id, batch.item)}/batches/${batch.id}">Batch ${batch.number}</a>`,
          count(batch.papers),
          batch.state === 'joined'
            ? badge('Joined', 'open')
            : badge(`Entered by ${batch.entered} of 2`, 'scheduled'),
        ]),
      })
    }${
      !isOver
        ? html`<p>Papers are counted once voting is closed.</p>`
        : mayDo(props, 'meetings:count')
          ? disclosure('A new batch', batchForm(props), batches.length === 0 && item.state === 'closed')
          : html`<p>Tellers and chairs count papers.</p>`
    }`,
  });
}

function batchForm({ meeting, item, others, refused }: PapersProps): Html {
  const entered = refused?.at === 'batch' ? refused.entered : {};
  const errors = refused?.at === 'batch' ? refused.errors : [];
  const same = others.filter(({ state }) => state === item.state);
  return html`<form method="post" action="${itemPath(meeting.id, item.id)}/batches">
<p>Count the papers of the batch by hand, at most 25, before anybody enters them.</p>${controlFields({ valid: '', blank: '0', invalid: '0' }, entered)}${same.map(
    ({ id, title }) =>
      tickBox({
        name: 'items',
        id: `batch-${id}`,
        value: id,
        label: `Also on these papers: ${title}`,
        checked: false,
      }),
  )}${
    item.state === 'declared' &&
    html`${lateNotice()}${openField({
      name: 'reason',
      label: 'Why they come now, which is published',
      value: enteredText(entered, 'reason'),
      error: errorAt(errors, 'reason'),
    })}`
  }<div class="actions"><button class="button">Make the batch</button></div></form>`;
}

/** Warns of papers that come after the announcement: both results are known. @param more what else is said */
export const lateNotice = (more: Child = ''): Html =>
  notice(
    'attention',
    html`The new result replaces the announced one. Everybody can compare the two: the difference is what these papers say. With
fewer than ten of them that can show how somebody voted.${more}`,
    'This corrects an announced result in public',
  );

/** The control totals of a batch. */
export function controlFields(
  control: Record<keyof ControlTotals, string>,
  entered: RefusedForm['entered'] = {},
): Html {
  const one = (name: keyof ControlTotals, label: string) =>
    openField({
      name: `control.${name}`,
      label,
      type: 'number',
      min: 0,
      short: true,
      value: enteredText(entered, `control.${name}`, control[name]),
    });
  return html`<div class="room-hands">${one('valid', 'Valid')}${one('blank', 'Blank')}${one('invalid', 'Invalid')}</div>`;
}

function reconciling(props: PapersProps): Html {
  const { meeting, item, sheet, alarm } = props;
  const path = itemPath(meeting.id, item.id);
  const number = (name: 'printed' | 'returned' | 'in_box', label: string, hint?: string) =>
    openField({ name, label, hint, type: 'number', min: 0, short: true, value: sheet[name] ?? '' });
  return pageSection({
    id: 'sheet',
    title: 'Reconciliation sheet',
    about: 'Where the papers went. It is an annex to the minutes.',
    work: html`${
      alarm &&
      notice(
        sheet.note === undefined ? 'danger' : 'attention',
        sheet.note ??
          'Before the result is announced, the chair notes why that cannot change it, or the vote is repeated.',
        `${counted(alarm.papers, 'paper')}, but ${count(alarm.handed_out)} handed out`,
      )
    }${
      mayDo(props, 'meetings:count') &&
      html`<form method="post" action="${path}/sheet?_method=PUT"><div class="room-hands">${number('printed', 'Printed')}${number(
        'returned',
        'Handed back',
      )}${number('in_box', 'In the box')}</div><div class="actions"><button class="button button-quiet">Save the numbers</button></div></form>`
    }<p><a class="link-alone" href="${path}/sheet">The sheet to print</a></p>`,
  });
}
