import QRCode from 'qrcode';
import { Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { houseFacts } from '#views/components/club.ts';
import { copyField, hashText, qrCode, slipSheets } from '#views/components/codes.ts';
import { contactLink } from '#views/components/contact.ts';
import { secretField } from '#views/components/fields.ts';
import { choice, choiceGroup, confirmPanel, field, selectField } from '#views/components/forms.ts';
import { hereOnlyNotice } from '#views/components/here-only.ts';
import { ICONS, type IconName, icon } from '#views/components/icons.ts';
import { empty, errorSummary, folderNotice, type NoticeKind, notice } from '#views/components/notices.ts';
import { badge, type Stage, stageLine, statusBadge } from '#views/components/status.ts';
import {
  definitionList,
  disclosure,
  numberedPages,
  pageHeader,
  plainText,
  statFigures,
  subPageLink,
  subPages,
  zoneNote,
} from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { bars } from '#views/voting/bars.ts';
import { matrix } from '#views/voting/matrix.ts';

const STAGES = ['draft', 'scheduled', 'open', 'closed', 'published'] as const satisfies Stage[];
const TYPES = [
  { value: 'poll', label: 'Poll' },
  { value: 'ranked', label: 'Ranking' },
];
const COLUMNS = [{ label: 'Batch' }, { label: 'Codes', number: true }, { label: 'Actions', quiet: true }];
const ROWS = [
  ['Members', '2,400', html`<a href="#">Print</a>`],
  ['Guests', '12', html`<a href="#">Print</a>`],
];
const QR = QRCode.create('https://club.example/e/1').modules;

const rowsOf = (at: string, type: 'radio' | 'checkbox') => [
  choice({ type, name: `${at}row`, value: 'yes', label: 'Yes', checked: true }),
  choice({ type, name: `${at}row`, value: 'no', label: 'No', note: 'Counts as taking part.' }),
];

/** A summary of errors that takes no focus and does not make the page one that was refused. */
const atRest = (summary: Html | null): Html =>
  new Html(String(summary).replace(' role="alert" tabindex="-1" autofocus', ''));

/** A state of a component. Samples stand on the page twice: `prefix` begins the ids of each. */
type Sample = readonly [state: string, draw: (prefix: string) => Html];

/** What the page of components shows, by the name of the component. */
export const SAMPLES: Record<string, readonly Sample[]> = {
  Type: [
    ['headings', () => html`<h1>Meetings</h1><h2>Open now</h2><h3>Bar</h3>`],
    [
      'texts',
      () =>
        html`<p class="lede">A lede opens a page.</p><p>A paragraph with <a href="#">a link</a>, <strong>bold</strong>
and <code>code</code>.</p><p class="said">What is said.</p><p class="small soft">Small and soft.</p>`,
    ],
    ['a list', () => html`<ul><li>Ada Lovelace</li><li>Bo Diddley</li></ul>`],
  ],
  Buttons: [
    [
      'kinds',
      () =>
        html`<div class="toolbar"><button class="button" type="button">Open</button>
<button class="button button-quiet" type="button">Print</button>
<button class="button button-danger" type="button">Delete</button>
<button class="button button-danger-quiet" type="button">Delete</button></div>`,
    ],
    [
      'sizes',
      () =>
        html`<div class="toolbar"><button class="button button-small" type="button">Undo</button>
<button class="button button-large" type="button">Review my choice</button></div>`,
    ],
    [
      'disabled',
      () =>
        html`<div class="toolbar"><button class="button" type="button" disabled>Open</button>
<button class="button button-quiet" type="button" disabled>Print</button></div>`,
    ],
    ['a link', () => html`<a class="button" href="#">New election</a>`],
  ],
  field: [
    ['empty', (at) => field({ name: `${at}title`, label: 'Title', hint: 'As on the ballot.' })],
    ['filled', (at) => field({ name: `${at}filled`, label: 'Title', value: 'Board of 2027' })],
    [
      'refused',
      (at) =>
        field({
          name: `${at}bad`,
          label: 'Title',
          value: '',
          error: 'Enter a title.',
          hint: 'As on the ballot.',
        }),
    ],
    ['optional', (at) => field({ name: `${at}optional`, label: 'Place', optional: true })],
    ['number', (at) => field({ name: `${at}number`, label: 'Seats', type: 'number', value: 3, short: true })],
    ['time', (at) => field({ name: `${at}time`, label: 'Opens', type: 'datetime-local', short: true })],
    ['rows', (at) => field({ name: `${at}rows`, label: 'Text', rows: 3, value: 'First line\nSecond line' })],
    [
      'secret',
      (at) =>
        secretField({
          name: `${at}secret`,
          id: `${at}secret`,
          label: 'Password',
          hint: 'Of the mail server.',
          isStored: true,
        }),
    ],
  ],
  selectField: [
    ['usual', (at) => selectField({ name: `${at}select`, label: 'Type', options: TYPES, value: 'poll' })],
    [
      'refused',
      (at) => selectField({ name: `${at}badselect`, label: 'Type', options: TYPES, error: 'Choose a type.' }),
    ],
    [
      'a value of its own',
      (at) => selectField({ name: `${at}other`, label: 'Type', options: TYPES, value: 'Old' }),
    ],
  ],
  choiceGroup: [
    [
      'one of several',
      (at) => choiceGroup({ name: `${at}choice`, label: 'How do you vote?', rows: rowsOf(at, 'radio') }),
    ],
    [
      'refused',
      (at) =>
        choiceGroup({
          name: `${at}badchoice`,
          label: 'How do you vote?',
          error: 'Choose one.',
          rows: rowsOf(`${at}bad`, 'radio'),
        }),
    ],
    [
      'several, plain',
      (at) =>
        choiceGroup({
          name: `${at}ticks`,
          label: 'Parts',
          plain: true,
          rows: rowsOf(`${at}tick`, 'checkbox'),
        }),
    ],
  ],
  notice: [
    ...(['info', 'success', 'attention', 'danger'] as const satisfies NoticeKind[]).map(
      (kind): Sample => [
        kind,
        () => notice(kind, 'The count is not public before the close.', 'Not public yet'),
      ],
    ),
    ['without a title', () => notice('info', 'The count is not public before the close.')],
    [
      'errorSummary',
      () =>
        atRest(
          errorSummary([{ path: 'title', message: 'Enter a title.' }], undefined, 'Nothing was saved yet'),
        ),
    ],
    ['folderNotice', () => folderNotice(true)],
    [
      'houseFacts',
      () =>
        html`${houseFacts({ house: { address: '1 Mill Lane', way: 'Two minutes from the station', wifi: 'Guests' } })}`,
    ],
    [
      'hereOnlyNotice',
      () =>
        html`${hereOnlyNotice(
          { hereOnly: 'closed', needsSetUp: false },
          { who: 'olga', officer: true, permissions: new Set(['settings:write']) },
          '/design',
        )}`,
    ],
    [
      'empty',
      () =>
        empty(
          'No elections yet',
          'The first one takes five minutes.',
          html`<a class="button" href="#">New election</a>`,
        ),
    ],
  ],
  confirmPanel: [
    [
      'with a word to type',
      (at) =>
        confirmPanel({
          title: 'Delete this election?',
          text: 'Its 24 ballots are deleted with it.',
          action: '#',
          button: 'Delete the election',
          typed: { name: `${at}word`, word: 'delete' },
        }),
    ],
  ],
  statusBadge: [
    ['stages', () => html`<div class="toolbar">${STAGES.map((stage) => statusBadge(stage))}</div>`],
    [
      'badge',
      () =>
        html`<div class="toolbar">${badge('Guest')}${badge('Sent', 'open')}${badge('Waits', 'scheduled')}${badge('Failed', 'danger')}</div>`,
    ],
  ],
  stageLine: STAGES.map((stage): Sample => [stage, () => stageLine(stage, { open: 'Dec 1' })]),
  pageHeader: [
    [
      'whole',
      () =>
        pageHeader({
          title: 'Board of 2027',
          eyebrow: statusBadge('open'),
          lede: 'Closes on Tuesday at noon.',
          crumbs: [{ href: '#', label: 'Elections' }],
          actions: html`<a class="button" href="#">Print</a>`,
        }),
    ],
  ],
  definitionList: [
    [
      'usual',
      () =>
        definitionList([
          ['Opens', 'Tuesday, December 1, 9:00 AM'],
          ['May vote', '2,400 members'],
        ]),
    ],
  ],
  statFigures: [
    [
      'usual',
      () =>
        statFigures([
          { label: 'Codes', value: '2,400' },
          { label: 'Ballots', value: '1,275' },
          { label: 'Turnout', value: '53.1%' },
        ]),
    ],
  ],
  table: [
    ['usual', () => table({ caption: 'Batches', columns: COLUMNS, rows: ROWS })],
    ['scrolls', () => table({ caption: 'Batches to scroll', scrolls: true, columns: COLUMNS, rows: ROWS })],
    ['flows', () => table({ caption: 'Batches of a long list', flows: true, columns: COLUMNS, rows: ROWS })],
  ],
  pagination: [
    [
      'in the middle',
      () =>
        numberedPages({
          page: 7,
          pageSize: 50,
          total: 640,
          of: (shown) => t('content-admin.list.shown', shown),
          href: () => '#',
        }),
    ],
    [
      'empty',
      () =>
        numberedPages({
          page: 1,
          pageSize: 50,
          total: 0,
          of: (shown) => t('content-admin.list.shown', shown),
          href: () => '#',
        }),
    ],
  ],
  'Pages about a thing': [
    [
      'subPages',
      (at) =>
        subPages({
          label: `Settings ${at}`,
          pages: ['Club', 'Mail'].map((label) => ({ href: `#${label}`, label, anchors: [`${at}${label}`] })),
          current: '#Mail',
          content: html`<p>The settings of mail.</p>`,
        }),
    ],
    ['subPageLink', (at) => subPageLink({ href: '#', label: 'Club', anchors: [`${at}one`] })],
  ],
  disclosure: [
    ['closed', () => disclosure('How it was counted', html`<p>Each pair is compared.</p>`)],
    ['open', () => disclosure('How it was counted', html`<p>Each pair is compared.</p>`, true)],
  ],
  bars: [
    [
      'a leader',
      () =>
        bars({
          label: 'Votes',
          whole: 24,
          bars: [
            { label: 'Yes', value: 15, strong: true },
            { label: 'No', value: 7 },
            { label: 'Abstain', value: 2 },
          ],
        }),
    ],
    ['nobody voted', () => bars({ label: 'No votes', whole: 0, bars: [{ label: 'Yes', value: 0 }] })],
  ],
  matrix: [
    [
      'three candidates',
      () =>
        matrix({
          caption: 'Pairs',
          explanation: 'How many prefer the row to the column.',
          names: ['Ada', 'Bo', 'Cyrus'],
          cells: [
            [0, 15, 12],
            [9, 0, 12],
            [12, 12, 0],
          ],
          whole: 24,
        }),
    ],
  ],
  Codes: [
    [
      'copyField',
      (at) => copyField({ id: `${at}copy`, value: 'https://club.example/e/1', label: 'the link' }),
    ],
    ['hashText', () => hashText('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')],
    ['qrCode', () => qrCode(QR, 'QR code of the voting link')],
    [
      'slipSheets',
      () =>
        html`${slipSheets('The club', [
          { title: 'Board of 2027', text: 'Until Tuesday at noon, once.', code: 'K7QM-2F9X', qr: QR },
        ])}`,
    ],
  ],
  'Small parts': [
    [
      'icons',
      () =>
        html`<div class="toolbar">${ICONS.map((name: IconName) => html`<span>${icon(name)} ${name}</span>`)}</div>`,
    ],
    ['zoneNote', () => zoneNote('Berlin time')],
    ['plainText', () => plainText('A first line\nand a second.\n\nA second paragraph.')],
    ['contactLink', () => contactLink('secretary@club.example')],
  ],
};
