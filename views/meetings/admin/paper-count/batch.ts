import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { BatchJson, ShownBallot } from '#meetings/paper-count/shown.ts';
import { enteredText, errorAt, firstError } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { hidden, strong } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { quoted } from '#views/meetings/admin/door-row.ts';
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
  done: Words | string | undefined;
}

const batchPath = ({ meeting, item, batch }: BatchFrame): string =>
  `${itemPath(meeting.id, item.id)}/batches/${batch.id}`;

const crumbs = ({ meeting, item }: BatchFrame) => [
  { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
  { href: `${itemPath(meeting.id, item.id)}/papers`, label: t('meetings-admin.shared.ballots_paper') },
];

/** A batch: who has entered it, where the two differ, its totals, and the one act that comes next. */
export function batchPage(props: BatchProps): Html {
  const { batch, done, refused, viewer } = props;
  const body = html`${done && html`<div role="status">${notice('success', done)}</div>`}${
    refused && notice('danger', refused.message, t('meetings-admin.shared.nothing_changed'))
  }
${pageHeader({
  title: t('meetings-admin.shared.batch', { number: batch.number }),
  eyebrow:
    batch.state === 'joined'
      ? badge(t('meetings-admin.shared.joined'), 'open')
      : badge(t('meetings-admin.batch.open'), 'scheduled'),
  lede: allOf(batch.items.map(({ number, title }) => `${number}. ${title}`)),
  crumbs: crumbs(props),
})}
${batch.state === 'joined' ? joined(props) : openBatch(props)}`;
  return officerPage({
    title: t('meetings-admin.batch.document_title', {
      number: batch.number,
      title: batch.items[0]?.title ?? '',
    }),
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
    notice(
      'danger',
      t('meetings-admin.batch.drop_batch_two_people_enter'),
      t('meetings-admin.batch.both_entries_come_person'),
    )
  }${differences.length > 0 && settling(props)}${totals && totalsTable(props)}${
    totals &&
    differences.length === 0 &&
    !totals.open &&
    !batch.both_from_one_person &&
    mayDo(props, 'elections:certify') &&
    joining(props)
  }
${disclosure(
  t('meetings-admin.batch.batch_counted_wrongly'),
  html`<form method="post" action="${batchPath(props)}?_method=PATCH">${controlFields({
    valid: String(batch.control.valid),
    blank: String(batch.control.blank),
    invalid: String(batch.control.invalid),
  })}<div class="actions"><button class="button button-quiet">${t('meetings-admin.batch.save_other_count')}</button></div></form>
${controlAsked(props)}<form class="confirm" method="post" action="${batchPath(props)}?_method=DELETE"><p>${t('meetings-admin.batch.what_entered_goes_two_people')}</p>${openField(
    {
      name: 'reason',
      label: t('meetings-admin.batch.why_batch_dropped'),
      hint: t('meetings-admin.batch.kept_log'),
      value: enteredText(props.refused?.entered ?? {}, 'reason'),
      error: errorAt(props.refused?.errors ?? [], 'reason'),
    },
  )}<button class="button button-danger">${t('meetings-admin.batch.drop_batch')}</button></form>`,
  totals?.open === true && differences.length === 0,
)}`;
}

/** Other control totals wait for another person, who saves the same. */
function controlAsked({ batch }: BatchProps): Html | null {
  const { control_asked: asked } = batch;
  if (!asked) return null;
  const words = t('meetings-admin.batch.valid_papers_blank_invalid', {
    valid: asked.valid,
    blank: asked.blank,
    invalid: asked.invalid,
  });
  return notice(
    'attention',
    asked.by == null
      ? t('meetings-admin.batch.somebody_counted_other_teller_saves', { words })
      : t('meetings-admin.batch.counted_other_teller_saves_same', { by: asked.by, words }),
    t('meetings-admin.batch.another_count_waits'),
  );
}

function tellers(props: BatchProps): Html {
  const { batch } = props;
  const areIn = batch.entries['1'] !== null && batch.entries['2'] !== null;
  return html`<section aria-labelledby="tellers"><h2 id="tellers">${t('meetings-admin.batch.two_tellers')}</h2><ul class="door-list" role="list">${(
    ['1', '2'] as const
  ).map((teller) => {
    const entry = batch.entries[teller];
    return html`<li class="door-row"><div><p class="door-name">${t('meetings-admin.batch.teller', { teller })} ${
      entry && badge(t('meetings-admin.batch.entered'), 'open')
    }</p><p class="small soft">${
      entry
        ? html`${
            entry.papers === null
              ? whoEntered(entry.by)
              : t('meetings-admin.batch.entered_papers', { name: whoEntered(entry.by), n: entry.papers })
          }${
            entry.stands &&
            html`<br>${t('meetings-admin.batch.stands_election_better_somebody_else', { strong, by: whoEntered(entry.by) })}`
          }`
        : t('meetings-admin.batch.yet')
    }</p></div>${
      !areIn &&
      html`<div class="door-acts"><a class="button${entry && ' button-quiet'}" href="${batchPath(props)}/entries/${teller}">${t(
        'meetings-admin.batch.teller_of',
        {
          act: entry ? t('meetings-admin.batch.enter_again') : t('meetings-admin.batch.enter_papers'),
          teller,
          hidden,
        },
      )}</a></div>`
    }</li>`;
  })}</ul></section>`;
}

const whoEntered = (by: string | null | undefined): Words | string =>
  by ?? t('meetings-admin.batch.somebody');

const inWords = (ballot: ShownBallot | null): Html =>
  ballot === null
    ? html`<em>${t('meetings-admin.batch.no_such_paper')}</em>`
    : html`<span>${ballotLines(ballot).map((line, at) => html`${at > 0 && ', '}<span translate="no">${line}</span>`)}</span>`;

/** Both readings, and for a teller the own one to correct. */
function settling(props: BatchProps): Html {
  const { batch, isTeller, keys, questions } = props;
  const byPaper = [...Map.groupBy(batch.differences, ({ number }) => number)];
  const several = batch.items.length > 1;
  const papers = byPaper.map(([number, parts]) => {
    const said = (teller: 'teller_1' | 'teller_2') =>
      html`${parts.map((part, at) => html`${at > 0 && '; '}${several && html`${t('common.label', { label: part.title })} `}${inWords(part[teller])}`)}`;
    return html`<fieldset class="paper-differs"><legend>${t('meetings-admin.batch.paper_with_number', { number })}</legend>${definitionList(
      [
        [t('meetings-admin.batch.first_teller'), said('teller_1')],
        [t('meetings-admin.batch.second_teller'), said('teller_2')],
      ],
    )}${
      isTeller &&
      html`${openField({
        name: `keys.n${number}`,
        label: t('meetings-admin.batch.what'),
        value: keys.get(number) ?? '',
      })}${tickBox({
        name: `remove.n${number}`,
        id: `remove-${number}`,
        value: '1',
        label: t('meetings-admin.batch.there_is_no_such_paper'),
        checked: false,
      })}`
    }</fieldset>`;
  });
  return html`<section aria-labelledby="differences"><h2 id="differences">${t('meetings-admin.batch.papers_look_again', { n: byPaper.length })}</h2>
<p>${t('meetings-admin.batch.take_these_papers_out_batch')}</p>${
    isTeller
      ? html`<form method="post" action="${batchPath(props)}/entries/mine?_method=PATCH" data-questions="${JSON.stringify(questions)}">${questions.map((question) => legend(question))}${papers}<div class="actions"><button class="button">${t('meetings-admin.batch.correct_my_entry')}</button></div></form>`
      : papers
  }</section>`;
}

function totalsTable({ batch }: BatchProps): Html | null {
  const { totals, control } = batch;
  if (!totals) return null;
  const of = ({ valid, blank, invalid }: typeof control) =>
    [valid, blank, invalid, valid + blank + invalid].map(count);
  return html`<section aria-labelledby="totals"><h2 id="totals">${t('meetings-admin.batch.totals')}</h2>${
    totals.open &&
    notice(
      'attention',
      t('meetings-admin.batch.count_papers_hand_once_more'),
      t('meetings-admin.batch.entries_what_counted'),
    )
  }${table({
    caption: t('meetings-admin.batch.papers_batch'),
    quietCaption: true,
    columns: [
      { label: t('meetings-admin.batch.count') },
      ...[
        t('meetings-admin.shared.valid'),
        t('meetings-admin.shared.blank'),
        t('meetings-admin.shared.invalid'),
        t('meetings-admin.batch.all'),
      ].map((label) => ({ label, number: true })),
    ],
    rows: [
      [t('meetings-admin.batch.hand'), ...of(control)],
      [t('meetings-admin.batch.first_teller'), ...of(totals.teller_1)],
      [t('meetings-admin.batch.second_teller'), ...of(totals.teller_2)],
    ],
  })}${batch.settled > 0 && html`<p class="small soft">${t('meetings-admin.batch.papers_which_differed_settled', { n: batch.settled })}</p>`}</section>`;
}

function joining(props: BatchProps): Html {
  const { batch, isLate, asked, refused } = props;
  const few = batch.control.valid + batch.control.blank + batch.control.invalid < 5;
  return html`<form class="room-act" method="post" action="${batchPath(props)}/join">${
    isLate &&
    html`${lateNotice(
      html` ${t('meetings-admin.batch.reason_published', { reason: batch.reason ?? '' })}${
        few && html` ${t('meetings-admin.batch.few_papers')}`
      }`,
    )}${
      asked &&
      notice(
        'attention',
        asked.isOwn
          ? t('meetings-admin.batch.another_person_confirms')
          : t('meetings-admin.batch.compare_papers_confirm'),
        asked.isOwn
          ? t('meetings-admin.batch.asked_yourself')
          : t('meetings-admin.batch.asked_by', { by: asked.by }),
      )
    }${openField({
      name: 'note',
      label: t('meetings-admin.batch.more_votes_papers_now_why'),
      value: enteredText(refused?.entered ?? {}, 'note'),
    })}`
  }${
    asked?.isOwn !== true &&
    html`<button class="button button-large chair-act">${
      asked
        ? t('meetings-admin.batch.confirm_these_ballots_join_others')
        : t('meetings-admin.batch.let_these_ballots_join_others')
    }</button>`
  }</form>`;
}

function joined({ meeting, batch }: BatchProps): Html {
  const { papers = [], control, reason } = batch;
  return html`<p>${t('meetings-admin.batch.ballots_joined_others_random_order', { n: control.valid + control.blank })}</p>${
    reason !== null &&
    html`<p>${t('meetings-admin.batch.announced_result_corrected_correct', { link: (inside) => html`<a class="link-alone" href="/admin/meetings/${meeting.id}/minutes">${inside}</a>` })}</p>`
  }${
    papers.length === 0
      ? html`<p class="soft">${t('meetings-admin.batch.ballots_of_papers_erased')}</p>`
      : html`<p class="small soft">${t('meetings-admin.batch.ballots_of_papers_kept')}</p>${table({
          caption: t('meetings-admin.batch.what_entered'),
          quietCaption: true,
          columns: [
            { label: t('meetings-admin.batch.paper'), number: true },
            { label: t('meetings-admin.batch.item') },
            { label: t('meetings-admin.batch.ballot') },
          ],
          rows: papers.map(({ number, item, ballot }) => [
            count(number),
            batch.items.find(({ id }) => id === item)?.title ?? '',
            inWords(ballot),
          ]),
        })}`
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
    title: t('meetings-admin.batch.batch_teller', { number: batch.number, teller }),
    lede: allOf(questions.map(({ title }) => title)),
    crumbs: [
      ...crumbs(props),
      { href: batchPath(props), label: t('meetings-admin.shared.batch', { number: batch.number }) },
    ],
  })}
${
  stands.length > 0 &&
  notice(
    'attention',
    t('meetings-admin.batch.should_count_votes_about_themselves'),
    t('meetings-admin.batch.stand', { titles: quoted(stands) }),
  )
}
${isOther && notice('attention', t('meetings-admin.batch.entered_batch_other_teller_somebody'))}
${
  refused &&
  notice(
    'danger',
    errors.length > 0
      ? html`<ul>${errors.map((error) => html`<li>${firstError([error])}</li>`)}</ul>`
      : refused.message,
    t('meetings-admin.batch.nothing_saved_yet'),
  )
}
<form method="post" action="${batchPath(props)}/entries/${teller}?_method=PUT" data-questions="${JSON.stringify(
    questions,
  )}" data-papers="${papers}">
${questions.map((question) => legend(question))}
<p class="small soft">${
    several ? t('meetings-admin.batch.keys_several', { key }) : t('meetings-admin.batch.keys', { key })
  }</p>
<section class="card" data-pad aria-labelledby="pad" hidden><h2 id="pad">${t('meetings-admin.batch.press_what')}</h2><div class="field"><label
for="pad-number">${t('meetings-admin.batch.paper_number')}</label><input class="input input-short" id="pad-number" inputmode="numeric" autocomplete="off"></div>
<div data-pad-buttons></div><button class="button button-quiet" type="button" data-pad-next>${t('meetings-admin.batch.next_paper')}</button></section>
<p class="small soft">${t('meetings-admin.batch.type_keys')}</p>
<div class="field"><label for="lines">${t('meetings-admin.batch.papers_each_line_number_keys', { n: papers })}</label>
<p class="hint" id="lines-hint">${example(questions)}</p>
<textarea class="input paper-lines" id="lines" name="lines" rows="${Math.min(30, papers + 2)}" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="lines-hint"${errors.length > 0 && html` aria-invalid="true"`} autofocus>
${enteredText(refused?.entered ?? {}, 'lines', lines)}</textarea></div>
<p role="status" data-count></p>
<div class="actions"><button class="button button-large">${t('meetings-admin.batch.save_entry')}</button></div><ul class="paper-read" role="list" data-read></ul></form>`;
  return officerPage({
    title: t('meetings-admin.batch.batch_teller', { number: batch.number, teller }),
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['meetings/papers.js'],
    head: stylesheets('meetings/meetings.css'),
  });
}

/** A key of the keyboard. */
const key = (inside: Words): Html => html`<kbd>${inside}</kbd>`;

const HOW: { readonly [Marks in PaperMarks]: Words } = {
  answer: t('meetings-admin.batch.y_yes_n_abstain'),
  crosses: t('meetings-admin.batch.numbers_crosses'),
  ranks: t('meetings-admin.batch.ranks_top_bottom_where_none'),
  answers: t('meetings-admin.batch.y_yes_n_abstain_top'),
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

const example = (questions: EntryProps['questions']): Words =>
  t('meetings-admin.batch.line_example', {
    questions: questions.map(({ marks }) => EXAMPLES[marks]).join(' / '),
  });
