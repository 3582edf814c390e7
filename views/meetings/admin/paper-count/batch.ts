import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { BatchJson, ShownBallot } from '#meetings/paper-count/shown.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import type { PaperMarks } from '#voting/ballots/ballot-types.ts';
import { ballotLines } from '#voting/shared/ballot-file.ts';
import { controlFields, itemPath, lateNotice } from './papers.ts';

interface BatchFrame extends OfficerProps {
  meeting: { id: string; title: string };
  item: { id: string; title: string };
  batch: BatchJson;
  refused: RefusedForm | undefined;
}

/** A question of a paper as a teller enters it. */
export interface PaperQuestion {
  title: string;
  marks: PaperMarks;
  names: readonly string[];
  /** Whether there is one cross alone. */
  single: boolean;
}

/** The data of the page of a batch. */
export interface BatchProps extends BatchFrame {
  /** Whether the batch corrects an announced result. */
  isLate: boolean;
  /** Whether the viewer is one of the two tellers, and what they entered, as keys by number. */
  isTeller: boolean;
  keys: ReadonlyMap<number, string>;
  questions: readonly PaperQuestion[];
  /** Who has asked to let late papers join; undefined before that. */
  asked: { by: string; isOwn: boolean } | undefined;
  done: string | undefined;
}

const batchPath = ({ meeting, item, batch }: BatchFrame): string =>
  `${itemPath(meeting.id, item.id)}/batches/${batch.id}`;

const crumbs = ({ meeting, item }: BatchFrame) => [
  { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
  { href: `${itemPath(meeting.id, item.id)}/papers`, label: 'Ballots on paper' },
];

/** A batch: who has entered it, where the two differ, its totals, and the one act that comes next. */
export function batchPage(props: BatchProps): Html {
  const { batch, done, refused, viewer } = props;
  const body = html`${done && html`<div role="status">${notice('success', done)}</div>`}${
    refused && notice('danger', refused.message, 'Nothing was changed')
  }
${pageHeader({
  title: `Batch ${batch.number}`,
  eyebrow: batch.state === 'joined' ? badge('Joined', 'open') : badge('Open', 'scheduled'),
  lede: listed(batch.items.map(({ number, title }) => `${number}. ${title}`)),
  crumbs: crumbs(props),
})}
${batch.state === 'joined' ? joined(props) : openBatch(props)}`;
  return officerPage({
    title: `Batch ${batch.number}: ${batch.items[0]?.title ?? ''}`,
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: props.isTeller && batch.differences.length > 0 ? ['meetings/papers.js'] : [],
    head: stylesheets('meetings/meetings.css'),
  });
}

function openBatch(props: BatchProps): Html {
  const { batch } = props;
  const { differences, totals } = batch;
  return html`${tellers(props)}${
    batch.both_from_one_person &&
    notice('danger', 'Drop the batch: two people enter its papers anew.', 'Both entries come from one person')
  }${differences.length > 0 && settling(props)}${totals && totalsTable(props)}${
    totals &&
    differences.length === 0 &&
    !totals.open &&
    !batch.both_from_one_person &&
    mayDo(props, 'elections:certify') &&
    joining(props)
  }
${disclosure(
  'The batch was counted wrongly',
  html`<form method="post" action="${batchPath(props)}?_method=PATCH">${controlFields({
    valid: String(batch.control.valid),
    blank: String(batch.control.blank),
    invalid: String(batch.control.invalid),
  })}<div class="actions"><button class="button button-quiet">Save the other count</button></div></form>
${controlAsked(props)}<form class="confirm" method="post" action="${batchPath(props)}?_method=DELETE"><p>What was entered of it goes with
it, and two people enter its papers anew.</p>${openField({
    name: 'reason',
    label: 'Why the batch is dropped',
    hint: 'It is kept in the log.',
    value: enteredText(props.refused?.entered ?? {}, 'reason'),
    error: errorAt(props.refused?.errors ?? [], 'reason'),
  })}<button class="button button-danger">Drop this batch</button></form>`,
  totals?.open === true && differences.length === 0,
)}`;
}

/** Other control totals wait for another person, who saves the same. */
function controlAsked({ batch }: BatchProps): Html | null {
  const { control_asked: asked } = batch;
  if (!asked) return null;
  const words = `${counted(asked.valid, 'valid paper')}, ${count(asked.blank)} blank, ${count(asked.invalid)} invalid`;
  return notice(
    'attention',
    `${asked.by ?? 'Somebody'} counted ${words}. The other teller saves the same count, then it counts.`,
    'Another count waits',
  );
}

function tellers(props: BatchProps): Html {
  const { batch } = props;
  const areIn = batch.entries['1'] !== null && batch.entries['2'] !== null;
  return html`<section aria-labelledby="tellers"><h2 id="tellers">Two tellers</h2><ul class="door-list" role="list">${(
    ['1', '2'] as const
  ).map((teller) => {
    const entry = batch.entries[teller];
    return html`<li class="door-row"><div><p class="door-name">Teller ${teller} ${
      entry && badge('Entered', 'open')
    }</p><p class="small soft">${
      entry
        ? html`${entry.by ?? 'Somebody'}${entry.papers !== null && `, ${counted(entry.papers, 'paper')}`}${
            entry.stands &&
            html`<br><strong>${entry.by} stands in this election.</strong> Better somebody else enters it.`
          }`
        : 'Not yet'
    }</p></div>${
      !areIn &&
      html`<div class="door-acts"><a class="button${entry && ' button-quiet'}" href="${batchPath(props)}/entries/${teller}">${
        entry ? 'Enter again' : 'Enter the papers'
      }<span class="visually-hidden">: teller ${teller}</span></a></div>`
    }</li>`;
  })}</ul></section>`;
}

const inWords = (ballot: ShownBallot | null): Html =>
  ballot === null
    ? html`<em>no such paper</em>`
    : html`<span>${ballotLines(ballot).map((line, at) => html`${at > 0 && ', '}<span translate="no">${line}</span>`)}</span>`;

/** Both readings, and for a teller the own one to correct. */
function settling(props: BatchProps): Html {
  const { batch, isTeller, keys, questions } = props;
  const byPaper = [...Map.groupBy(batch.differences, ({ number }) => number)];
  const several = batch.items.length > 1;
  const papers = byPaper.map(([number, parts]) => {
    const said = (teller: 'teller_1' | 'teller_2') =>
      html`${parts.map((part, at) => html`${at > 0 && '; '}${several && `${part.title}: `}${inWords(part[teller])}`)}`;
    return html`<fieldset class="paper-differs"><legend>Paper ${number}</legend>${definitionList([
      ['Teller 1', said('teller_1')],
      ['Teller 2', said('teller_2')],
    ])}${
      isTeller &&
      html`${openField({
        name: `keys.n${number}`,
        label: 'What is on it',
        value: keys.get(number) ?? '',
      })}${tickBox({
        name: `remove.n${number}`,
        id: `remove-${number}`,
        value: '1',
        label: 'There is no such paper',
        checked: false,
      })}`
    }</fieldset>`;
  });
  return html`<section aria-labelledby="differences"><h2 id="differences">${counted(byPaper.length, 'paper')} to look at again</h2>
<p>Take these papers out of the batch, and look at each together. Each teller corrects the own entry, until both agree.</p>${
    isTeller
      ? html`<form method="post" action="${batchPath(props)}/entries/mine?_method=PATCH" data-questions="${JSON.stringify(questions)}">${questions.map((question) => legend(question))}${papers}<div class="actions"><button class="button">Correct my entry</button></div></form>`
      : papers
  }</section>`;
}

function totalsTable({ batch }: BatchProps): Html | null {
  const { totals, control } = batch;
  if (!totals) return null;
  const of = ({ valid, blank, invalid }: typeof control) =>
    [valid, blank, invalid, valid + blank + invalid].map(count);
  return html`<section aria-labelledby="totals"><h2 id="totals">Totals</h2>${
    totals.open &&
    notice(
      'attention',
      'Count the papers by hand once more. Then correct that count below, or enter what is missing.',
      'The entries are not what was counted',
    )
  }${table({
    caption: 'Papers of the batch',
    quietCaption: true,
    columns: [
      { label: 'Count' },
      ...['Valid', 'Blank', 'Invalid', 'All'].map((label) => ({ label, number: true })),
    ],
    rows: [
      ['By hand', ...of(control)],
      ['Teller 1', ...of(totals.teller_1)],
      ['Teller 2', ...of(totals.teller_2)],
    ],
  })}${batch.settled > 0 && html`<p class="small soft">${counted(batch.settled, 'paper')} on which they differed ${batch.settled === 1 ? 'was' : 'were'} settled.</p>`}</section>`;
}

function joining(props: BatchProps): Html {
  const { batch, isLate, asked, refused } = props;
  const few = batch.control.valid + batch.control.blank + batch.control.invalid < 5;
  return html`<form class="room-act" method="post" action="${batchPath(props)}/join">${
    isLate &&
    html`${lateNotice(
      html` Your reason is published: “${batch.reason}”.${
        few && ' These are fewer than five papers: everybody sees how the people voted who took them.'
      }`,
    )}${
      asked &&
      notice(
        'attention',
        asked.isOwn ? 'Another person confirms it.' : 'Compare the papers, and confirm it.',
        `${asked.isOwn ? 'You have' : `${asked.by} has`} asked for it`,
      )
    }${openField({
      name: 'note',
      label: 'If there are more votes or papers now than there can be: why that does not change the result',
      value: enteredText(refused?.entered ?? {}, 'note'),
    })}`
  }${
    asked?.isOwn !== true &&
    html`<button class="button button-large chair-act">${
      asked ? 'Confirm that these ballots join the others' : 'Let these ballots join the others'
    }</button>`
  }</form>`;
}

function joined({ meeting, batch }: BatchProps): Html {
  const { papers = [], control, reason } = batch;
  return html`<p>${counted(control.valid + control.blank, 'ballot')} joined the others, in random order.</p>${
    reason !== null &&
    html`<p>The announced result is corrected. <a class="link-alone" href="/admin/meetings/${meeting.id}/minutes">Correct the minutes too if they are signed</a></p>`
  }${
    papers.length === 0
      ? html`<p class="soft">Which paper became which ballot is erased.</p>`
      : html`<p class="small soft">Which paper became which ballot is kept until the result is announced, so that you can compare.</p>${table(
          {
            caption: 'What was entered',
            quietCaption: true,
            columns: [{ label: 'Paper', number: true }, { label: 'Item' }, { label: 'Ballot' }],
            rows: papers.map(({ number, item, ballot }) => [
              count(number),
              batch.items.find(({ id }) => id === item)?.title ?? '',
              inWords(ballot),
            ]),
          },
        )}`
  }`;
}

/** The data of the page on which a teller enters a batch. */
export interface EntryProps extends BatchFrame {
  teller: 1 | 2;
  /** What this teller has entered before. */
  lines: string;
  questions: readonly PaperQuestion[];
  /** The titles of the questions in which this person stands. */
  stands: readonly string[];
  /** Whether this person is the other teller already. */
  isOther: boolean;
}

/** The page on which a teller enters a batch: a paper on each line, its number and then its keys. */
export function entryPage(props: EntryProps): Html {
  const { batch, teller, lines, questions, stands, isOther, refused, viewer } = props;
  const papers = batch.control.valid + batch.control.blank + batch.control.invalid;
  const several = questions.length > 1;
  const errors = refused?.errors.filter(({ path }) => path === 'lines') ?? [];
  const body = html`${pageHeader({
    title: `Batch ${batch.number}, teller ${teller}`,
    lede: listed(questions.map(({ title }) => title)),
    crumbs: [...crumbs(props), { href: batchPath(props), label: `Batch ${batch.number}` }],
  })}
${
  stands.length > 0 &&
  notice(
    'attention',
    'Nobody should count votes about themselves: let somebody else enter this batch.',
    `You stand in ${listed(stands.map((title) => `“${title}”`))}`,
  )
}
${isOther && notice('attention', 'You have entered this batch as the other teller: somebody else enters it here.')}
${
  refused &&
  notice(
    'danger',
    errors.length > 0
      ? html`<ul>${errors.map(({ message }) => html`<li>${message}</li>`)}</ul>`
      : refused.message,
    'Nothing is saved yet',
  )
}
<form method="post" action="${batchPath(props)}/entries/${teller}?_method=PUT" data-questions="${JSON.stringify(
    questions,
  )}" data-papers="${papers}">
${questions.map((question) => legend(question))}
<p class="small soft"><kbd>b</kbd> blank, <kbd>x</kbd> invalid.${several && ' Put / between the questions.'}</p>
<section class="card" data-pad aria-labelledby="pad" hidden><h2 id="pad">Press what is on it</h2><div class="field"><label
for="pad-number">Paper number</label><input class="input input-short" id="pad-number" inputmode="numeric" autocomplete="off"></div>
<div data-pad-buttons></div><button class="button button-quiet" type="button" data-pad-next>Next paper</button></section>
<p class="small soft">Or type the keys.</p>
<div class="field"><label for="lines">${counted(papers, 'paper')}, each on a line: its number, then its keys</label>
<p class="hint" id="lines-hint">${example(questions)}</p>
<textarea class="input paper-lines" id="lines" name="lines" rows="${Math.min(30, papers + 2)}" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="lines-hint"${errors.length > 0 && html` aria-invalid="true"`} autofocus>
${enteredText(refused?.entered ?? {}, 'lines', lines)}</textarea></div>
<p role="status" data-count></p>
<div class="actions"><button class="button button-large">Save this entry</button></div><ul class="paper-read" role="list" data-read></ul></form>`;
  return officerPage({
    title: `Batch ${batch.number}, teller ${teller}`,
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['meetings/papers.js'],
    head: stylesheets('meetings/meetings.css'),
  });
}

const HOW: { readonly [Marks in PaperMarks]: string } = {
  answer: 'y yes, n no, a abstain.',
  crosses: 'The numbers of the crosses.',
  ranks: 'The ranks from top to bottom, - where there is none.',
  answers: 'y yes, n no, a abstain from top to bottom, - where there is no mark.',
};

const legend = ({ title, marks, names }: EntryProps['questions'][number]): Html =>
  html`<section class="paper-legend"><h2>${title}</h2><p class="small">${HOW[marks]}</p>${
    names.length > 0 && html`<ol>${names.map((name) => html`<li translate="no">${name}</li>`)}</ol>`
  }</section>`;

const EXAMPLES: { readonly [Marks in PaperMarks]: string } = {
  answer: 'y',
  crosses: '1',
  ranks: '2 1',
  answers: 'yn',
};

const example = (questions: EntryProps['questions']): string =>
  `Like 7 ${questions.map(({ marks }) => EXAMPLES[marks]).join(' / ')}`;
