import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { ControlTotals } from '#meetings/paper-count/batches.ts';
import type { PaperAlarm, PaperSheet } from '#meetings/paper-count/sheet.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { strong } from '#views/components/slots.ts';
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
  done: Words | string | undefined;
  refused: (RefusedForm & { at: 'paper' | 'sheet' | 'batch' }) | undefined;
}

export const itemPath = (meetingId: string, itemId: string): string =>
  `/admin/meetings/${meetingId}/items/${itemId}`;

/** Hands out papers, prints them, counts them in batches, and has their sheet. */
export function papersPage(props: PapersProps): Html {
  const { meeting, item, done, refused, viewer } = props;
  const body = html`${done && html`<div role="status">${notice('success', done)}</div>`}${
    refused && notice('danger', refused.message, t('meetings-admin.shared.nothing_changed'))
  }
${pageHeader({
  title: t('meetings-admin.shared.ballots_paper'),
  eyebrow: itemBadge(item),
  lede: `${item.number}. ${item.title}`,
  crumbs: [
    { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
    ...(mayDo(props, 'elections:read')
      ? [
          { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
          { href: `/admin/meetings/${meeting.id}/chair`, label: t('meetings-admin.shared.chair') },
        ]
      : []),
  ],
})}
${handingOut(props)}${counting(props)}${reconciling(props)}`;
  return officerPage({
    title: t('meetings-admin.papers.document_title', { title: item.title }),
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
    title: t('meetings-admin.papers.hand_out'),
    about: t('meetings-admin.papers.card_dies_question_alone_nothing'),
    work: html`<p class="room-turnout">${t('meetings-admin.papers.handed_out', { strong, out: sheet.handed_out })}</p>${
      item.state === 'open' &&
      !props.hasCards &&
      notice(
        'attention',
        t('meetings-admin.papers.paper_handed_out_against_card'),
        t('meetings-admin.shared.cards_printed'),
      )
    }${
      item.state === 'open' && !props.hasCards
        ? null
        : item.state === 'open' && mayDo(props, 'meetings:door')
          ? html`<form method="post" action="${path}/paper">${openField({
              name: 'code',
              label: t('meetings-admin.papers.code_card'),
              hint: t('meetings-admin.papers.scan_square_type_hand_paper'),
              error: isRefused ? errorAt(refused.errors, 'code') : undefined,
            })}${open.map(({ id, title }) =>
              tickBox({
                name: 'items',
                id: `hand-${id}`,
                value: id,
                label: t('meetings-admin.papers.also_paper', { title }),
                checked: handed.includes(id),
              }),
            )}<div class="actions"><button class="button button-large">${t('meetings-admin.papers.hand_out_paper')}</button></div></form>`
          : html`<p>${
              item.state === 'prepared'
                ? t('meetings-admin.papers.papers_handed_out_once_voting')
                : t('meetings-admin.papers.voting_over_more_papers_handed')
            }</p>`
    }${
      mayDo(props, 'elections:read') &&
      disclosure(t('meetings-admin.papers.print_papers'), printForm(props), item.state === 'prepared')
    }`,
  });
}

function printForm({ meeting, item, others }: PapersProps): Html {
  return html`<form method="get" action="${itemPath(meeting.id, item.id)}/printed">
<div class="room-hands">${openField({ name: 'copies', label: t('meetings-admin.shared.papers'), type: 'number', value: '20', min: 1, short: true })}
${selectField({
  name: 'size',
  label: t('meetings-admin.papers.sheet'),
  options: [
    { value: 'a4', label: 'A4' },
    { value: 'a5', label: 'A5' },
  ],
})}
${selectField({ name: 'each', label: t('meetings-admin.papers.each_sheet'), options: ['1', '2', '4'].map((value) => ({ value, label: value })) })}</div>${others.map(
    ({ id, title }) =>
      tickBox({
        name: 'items',
        id: `print-${id}`,
        value: id,
        label: t('meetings-admin.papers.also_paper', { title }),
        checked: false,
      }),
  )}<div class="actions"><button class="button button-quiet">${t('meetings-admin.papers.show_papers_print')}</button></div></form>`;
}

function counting(props: PapersProps): Html {
  const { item, batches } = props;
  const isOver = item.state === 'closed' || item.state === 'declared';
  return pageSection({
    id: 'batches',
    title: t('meetings-admin.papers.count'),
    about: t('meetings-admin.papers.empty_box_mix_papers_only'),
    work: html`${
      batches.length > 0 &&
      table({
        caption: t('meetings-admin.papers.batches'),
        quietCaption: true,
        columns: [
          { label: t('meetings-admin.papers.batch') },
          { label: t('meetings-admin.shared.papers'), number: true },
          { label: t('meetings-admin.shared.state') },
        ],
        rows: batches.map((batch) => [
          html`<a href="${itemPath(props.meeting.id, batch.item)}/batches/${batch.id}">${t('meetings-admin.shared.batch', { number: batch.number })}</a>`,
          count(batch.papers),
          batch.state === 'joined'
            ? badge(t('meetings-admin.shared.joined'), 'open')
            : badge(t('meetings-admin.papers.entered_by_some', { entered: batch.entered }), 'scheduled'),
        ]),
      })
    }${
      !isOver
        ? html`<p>${t('meetings-admin.papers.papers_counted_once_voting_closed')}</p>`
        : mayDo(props, 'meetings:count')
          ? disclosure(
              t('meetings-admin.papers.new_batch'),
              batchForm(props),
              batches.length === 0 && item.state === 'closed',
            )
          : html`<p>${t('meetings-admin.papers.tellers_chairs_count_papers')}</p>`
    }`,
  });
}

function batchForm({ meeting, item, others, refused }: PapersProps): Html {
  const entered = refused?.at === 'batch' ? refused.entered : {};
  const errors = refused?.at === 'batch' ? refused.errors : [];
  const same = others.filter(({ state }) => state === item.state);
  return html`<form method="post" action="${itemPath(meeting.id, item.id)}/batches">
<p>${t('meetings-admin.papers.count_papers_batch_hand_most')}</p>${controlFields({ valid: '', blank: '0', invalid: '0' }, entered)}${same.map(
    ({ id, title }) =>
      tickBox({
        name: 'items',
        id: `batch-${id}`,
        value: id,
        label: t('meetings-admin.papers.also_these_papers', { title }),
        checked: false,
      }),
  )}${
    item.state === 'declared' &&
    html`${lateNotice()}${openField({
      name: 'reason',
      label: t('meetings-admin.papers.why_come_now_which_published'),
      value: enteredText(entered, 'reason'),
      error: errorAt(errors, 'reason'),
    })}`
  }<div class="actions"><button class="button">${t('meetings-admin.papers.make_batch')}</button></div></form>`;
}

/** Warns of papers that come after the announcement: both results are known. @param more what else is said */
export const lateNotice = (more: Child = ''): Html =>
  notice(
    'attention',
    html`${t('meetings-admin.papers.new_result_replaces_announced_everybody')}${more}`,
    t('meetings-admin.papers.corrects_announced_result_public'),
  );

/** The control totals of a batch. */
export function controlFields(
  control: Record<keyof ControlTotals, string>,
  entered: RefusedForm['entered'] = {},
): Html {
  const one = (name: keyof ControlTotals, label: Words) =>
    openField({
      name: `control.${name}`,
      label,
      type: 'number',
      min: 0,
      short: true,
      value: enteredText(entered, `control.${name}`, control[name]),
    });
  return html`<div class="room-hands">${one('valid', t('meetings-admin.shared.valid'))}${one('blank', t('meetings-admin.shared.blank'))}${one('invalid', t('meetings-admin.shared.invalid'))}</div>`;
}

function reconciling(props: PapersProps): Html {
  const { meeting, item, sheet, alarm } = props;
  const path = itemPath(meeting.id, item.id);
  const number = (name: 'printed' | 'returned' | 'in_box', label: Words) =>
    openField({ name, label, type: 'number', min: 0, short: true, value: sheet[name] ?? '' });
  return pageSection({
    id: 'sheet',
    title: t('meetings-admin.shared.reconciliation_sheet'),
    about: t('meetings-admin.papers.where_papers_went_annex_minutes'),
    work: html`${
      alarm &&
      notice(
        sheet.note === undefined ? 'danger' : 'attention',
        sheet.note ?? t('meetings-admin.papers.before_result_announced_chair_notes'),
        t('meetings-admin.papers.papers_but_handed_out', { papers: alarm.papers, out: alarm.handed_out }),
      )
    }${
      mayDo(props, 'meetings:count') &&
      html`<form method="post" action="${path}/sheet?_method=PUT"><div class="room-hands">${number('printed', t('meetings-admin.shared.printed'))}${number(
        'returned',
        t('meetings-admin.shared.handed_back'),
      )}${number('in_box', t('meetings-admin.shared.box'))}</div><div class="actions"><button class="button button-quiet">${t('meetings-admin.papers.save_numbers')}</button></div></form>`
    }<p><a class="link-alone" href="${path}/sheet">${t('meetings-admin.papers.sheet_print')}</a></p>`,
  });
}
