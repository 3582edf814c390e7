import { formatWhen } from '#kernel/local-time.ts';
import type { MinutesFacts } from '#meetings/minutes/facts.ts';
import type { Block } from '#meetings/minutes/versions.ts';
import { counted } from '#views/components/numbers.ts';

/** An agenda as a list; with its own numbers where they are not 1, 2, 3. */
export function agendaOf<Item extends { number?: string | number }>(
  items: readonly Item[],
  write: (item: Item) => string,
): Block {
  const numbers = items.map(({ number }, index) => String(number ?? index + 1));
  const isPlain = numbers.every((number, index) => number === String(index + 1));
  return { is: 'list', items: items.map(write), ...(!isPlain && { numbers }) };
}

/** The annexes, each with its heading; those without anything are left out. */
export function annexBlocks(facts: MinutesFacts, zone: string): Block[] {
  const annexes = [presentList(facts), paperSheets(facts), invitation(facts, zone), checkNumbers(facts)];
  return annexes
    .filter((blocks) => blocks.length > 0)
    .flatMap(([title, ...rest], index): Block[] => [
      { is: 'annex', text: `Annex ${index + 1}: ${(title as { text: string }).text}` },
      ...rest,
    ]);
}

function presentList({ present, proxies, figures }: MinutesFacts): Block[] {
  if (present.length === 0) return [];
  const several = Object.keys(figures.cards).length > 1;
  return [
    { is: 'annex', text: 'list of the present' },
    {
      is: 'table',
      caption: 'Who was present',
      columns: [{ label: 'Name' }, { label: 'As' }],
      rows: present.map(({ name, class: own, left }) => [
        name,
        `${own === null ? 'guest, without a vote' : several ? own : 'member'}${left ? ', left before the end' : ''}`,
      ]),
    },
    ...(proxies.length > 0
      ? [
          {
            is: 'table' as const,
            caption: 'Who was represented',
            columns: [{ label: 'Member' }, { label: 'Represented by' }],
            rows: proxies.map(({ giver, holder }) => [giver, holder]),
          },
        ]
      : []),
  ];
}

/** Of each vote with ballots on paper, where the papers went and what was found on them. */
function paperSheets({ items }: MinutesFacts): Block[] {
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
  const columns = ['Printed', 'Handed out', 'Returned', 'In the box', 'Valid', 'Blank', 'Invalid'];
  return [
    { is: 'annex', text: 'ballots on paper' },
    {
      is: 'table',
      caption: 'Where the papers of each vote went, and what was found on them',
      columns: [{ label: 'Item' }, ...columns.map((label) => ({ label, number: true as const }))],
      rows,
    },
  ];
}

function invitation({ invitations }: MinutesFacts, zone: string): Block[] {
  if (invitations.length === 0) return [];
  return [
    { is: 'annex', text: 'invitation' },
    ...invitations.flatMap(({ at, mails, title, held_at, place, notes, documents, agenda }): Block[] => [
      { is: 'note', text: `${counted(mails, 'mail')}, the first on ${formatWhen(Date.parse(at), zone)}` },
      { is: 'text', text: [title, formatWhen(Date.parse(held_at), zone), place].filter(Boolean).join('\n') },
      agendaOf(agenda, (one) => `${one.title}${one.mover ? ` (proposed by ${one.mover})` : ''}`),
      ...(notes ? [{ is: 'text' as const, text: notes }] : []),
      ...documents.map((one): Block => ({ is: 'text', text: `${one.title}: ${one.url}` })),
    ]),
  ];
}

/** The hashes of the ballots, with which everybody can compare what is published. */
function checkNumbers({ items, log, origin }: MinutesFacts): Block[] {
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
  const head: Block[] = log
    ? [
        {
          is: 'text',
          text: `Head of the audit log when the meeting was closed: ${log.head} (entry ${log.entry}).`,
        },
      ]
    : [];
  if (rows.length === 0) return head.length === 0 ? [] : [{ is: 'annex', text: 'check numbers' }, ...head];
  return [
    { is: 'annex', text: 'check numbers' },
    ...head,
    {
      is: 'text',
      text:
        'SHA-256 of all ballots of each vote, the number of its entry in the audit log, and the page with the ' +
        `receipts${origin ? '' : ', below the address at which members reach this service'}.`,
    },
    {
      is: 'table',
      caption: 'Check numbers of the ballots',
      columns: [
        { label: 'Item' },
        { label: 'SHA-256 of the ballots' },
        { label: 'Entry', number: true },
        { label: 'Page' },
      ],
      rows,
    },
  ];
}
