import { t } from '#kernel/language/message.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import type { MinutesFacts } from '#meetings/minutes/facts.ts';
import type { Draft } from './draft.ts';

/** An agenda as a list; with its own numbers where they are not 1, 2, 3. */
export function agendaOf<Item extends { number?: string | number }>(
  items: readonly Item[],
  write: (item: Item) => Words | string,
): Draft {
  const numbers = items.map(({ number }, index) => String(number ?? index + 1));
  const isPlain = numbers.every((number, index) => number === String(index + 1));
  return { is: 'list', items: items.map(write), ...(!isPlain && { numbers }) };
}

/** The annexes, each with its heading; those without anything are left out. */
export function annexBlocks(facts: MinutesFacts, zone: string): Draft[] {
  const annexes: readonly [title: (n: number) => Words, blocks: Draft[]][] = [
    [(n) => t('meetings.minutes.annex_present', { n }), presentList(facts)],
    [(n) => t('meetings.minutes.annex_papers', { n }), paperSheets(facts)],
    [(n) => t('meetings.minutes.annex_invitation', { n }), invitation(facts, zone)],
    [(n) => t('meetings.minutes.annex_numbers', { n }), checkNumbers(facts)],
  ];
  return annexes
    .filter(([, blocks]) => blocks.length > 0)
    .flatMap(([title, blocks], index): Draft[] => [{ is: 'annex', text: title(index + 1) }, ...blocks]);
}

function presentList({ present, proxies, figures }: MinutesFacts): Draft[] {
  if (present.length === 0) return [];
  const several = Object.keys(figures.cards).length > 1;
  return [
    {
      is: 'table',
      caption: t('meetings.minutes.who_present'),
      columns: [{ label: t('meetings.minutes.name') }, { label: t('meetings.minutes.as') }],
      rows: present.map(({ name, class: own, left }) => [name, asWhat(own, several, left)]),
    },
    ...(proxies.length > 0
      ? [
          {
            is: 'table' as const,
            caption: t('meetings.minutes.who_represented'),
            columns: [
              { label: t('meetings.minutes.member') },
              { label: t('meetings.minutes.represented_by') },
            ],
            rows: proxies.map(({ giver, holder }) => [giver, holder]),
          },
        ]
      : []),
  ];
}

/** As what somebody was present. @param own their class; null of a guest */
function asWhat(own: string | null, several: boolean, left: boolean): Words | string {
  if (own === null) return left ? t('meetings.minutes.as_guest_left') : t('meetings.minutes.as_guest');
  if (!several) return left ? t('meetings.minutes.as_member_left') : t('meetings.minutes.as_member');
  return left ? t('meetings.minutes.as_class_left', { class: own }) : own;
}

/** Of each vote with ballots on paper, where the papers went and what was found on them. */
function paperSheets({ items }: MinutesFacts): Draft[] {
  const counted = (value: string | number | null) => (value === null ? '' : String(value));
  const rows = items.flatMap(({ number, sheet }) =>
    sheet
      ? [
          [
            number,
            sheet.printed,
            sheet.handed_out,
            sheet.returned,
            sheet.in_box,
            sheet.valid,
            sheet.blank,
            sheet.invalid,
          ].map(counted),
        ]
      : [],
  );
  if (rows.length === 0) return [];
  const columns = [
    t('meetings.minutes.printed'),
    t('meetings.minutes.handed_out'),
    t('meetings.minutes.returned'),
    t('meetings.minutes.in_box'),
    t('meetings.minutes.valid'),
    t('meetings.minutes.blank'),
    t('meetings.minutes.invalid'),
  ];
  return [
    {
      is: 'table',
      caption: t('meetings.minutes.papers_caption'),
      columns: [
        { label: t('meetings.minutes.item') },
        ...columns.map((label) => ({ label, number: true as const })),
      ],
      rows,
    },
  ];
}

function invitation({ invitations }: MinutesFacts, zone: string): Draft[] {
  return invitations.flatMap(({ at, mails, title, held_at, place, notes, documents, agenda }): Draft[] => [
    {
      is: 'note',
      text: t('meetings.minutes.invitation_mails', { n: mails, when: formatWhen(Date.parse(at), zone) }),
    },
    { is: 'text', text: lines([title, formatWhen(Date.parse(held_at), zone), place]) },
    agendaOf(agenda, (one) =>
      one.mover ? t('meetings.minutes.agenda_proposed', { title: one.title, mover: one.mover }) : one.title,
    ),
    ...(notes ? [{ is: 'text' as const, text: notes }] : []),
    ...documents.map(
      (one): Draft => ({ is: 'text', text: t('common.named', { name: one.title, value: one.url }) }),
    ),
  ]);
}

const lines = (all: readonly (Words | string | null)[]): Words =>
  formatted((reader) =>
    all.flatMap((line) => (line ? [typeof line === 'string' ? line : line.for(reader)] : [])).join('\n'),
  );

/** The hashes of the ballots, with which everybody can compare what is published. */
function checkNumbers({ items, log, origin }: MinutesFacts): Draft[] {
  const rows = items.flatMap(({ number, result }) => {
    const settled = result?.results_mode === 'manual' ? result.computed : result;
    if (!result || !settled || !('ballot_set_sha256' in settled) || !settled.ballot_set_sha256) return [];
    return [
      [
        String(number),
        settled.ballot_set_sha256,
        settled.anchor ? String(settled.anchor.entries) : '',
        `${origin ?? ''}/e/${result.election_id}/results`,
      ],
    ];
  });
  const head: Draft[] = log
    ? [
        {
          is: 'text',
          text: t('meetings.minutes.log_head', { head: log.head, entry: log.entry }),
        },
      ]
    : [];
  if (rows.length === 0) return head;
  return [
    ...head,
    {
      is: 'text',
      text: origin ? t('meetings.minutes.numbers_about') : t('meetings.minutes.numbers_about_no_host'),
    },
    {
      is: 'table',
      caption: t('meetings.minutes.numbers_caption'),
      columns: [
        { label: t('meetings.minutes.item') },
        { label: t('meetings.minutes.numbers_sha') },
        { label: t('meetings.minutes.numbers_entry'), number: true },
        { label: t('meetings.minutes.numbers_page') },
      ],
      rows,
    },
  ];
}
