import type { PictureHost } from '#test/stand-ins/picture-host.ts';
import {
  event,
  file,
  number,
  onTv,
  type PubPages,
  record,
  relation,
  select,
  text,
  tick,
  url,
  when,
} from '#test/stand-ins/pub-workspace.ts';

/** A local time `days` after Saturday, November 21, 2026, in the workspace's format; hours may exceed 24. */
const at = (days: number, hour: number, minute = 0) =>
  Temporal.PlainDate.from('2026-11-21')
    .add({ days: days + Math.floor(hour / 24) })
    .toPlainDateTime({ hour: hour % 24, minute })
    .toZonedDateTime('America/New_York')
    .toString({ timeZoneName: 'never' });
const date = (days: number) => Temporal.PlainDate.from('2026-11-21').add({ days }).toString();
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const edited = (n: number) => ({
  last_edited_time: `2026-10-${String((n % 28) + 1).padStart(2, '0')}T08:${String(n % 60).padStart(2, '0')}:00.000Z`,
});

/** The five databases and the programme of a club: 300 pages with all kinds of values. */
export function threeHundredPages(pictures: PictureHost): Required<PubPages> {
  const tenders = numbers(20).map((n) =>
    record(
      `Tender ${n} of ${n % 3}`,
      {
        Active: tick(n % 7 !== 6),
        'Meet your Tender': tick(n % 2 === 0),
        'Show Profile': tick(n % 3 === 0),
        Bio: text(`Bio ${n}\nin two lines`),
        'Payment A': text(`@tender-${n}`),
        ...(n % 2 === 0 && { Photo: file(pictures.urlOf(`tender ${n}`)) }),
        ...(n === 3 && { QR: file(pictures.urlOf('qr')) }),
        ...(n % 4 === 0 && { 'Profile URL': url(`https://tender-${n}.example/`) }),
      },
      edited(n),
    ),
  );
  const announcements = numbers(40).map((n) =>
    record(`Announcement ${n}`, {
      ...onTv,
      Content: text(n % 3 === 0 ? '' : `Text ${n}`),
      Priority: select(['Urgent', 'High', 'Normal', 'Low'][n % 4]!),
      ...(n % 5 === 0 && { Duration: number(n * 4) }),
      ...(n % 2 === 0 && { Image: file(pictures.urlOf(`poster ${n}`)) }),
      ...(n % 6 === 1 && { 'Show From': when(date(-3), date(n)) }),
      ...(n % 6 === 3 && { 'Show From': when(at(0, 9)), 'Show Until': when(at(n % 4, 23, 30)) }),
      ...(n % 6 === 5 && { 'Show From': when(at(n % 5, 18)) }),
    }),
  );
  const span = (n: number): [start: string, end?: string] => {
    if (n % 9 === 4) return [date(n - 20)];
    if (n % 9 === 6) return [date(n - 20), date(n - 18)];
    if (n % 9 === 8) return [at(n - 20, 22), at(n - 20, 25, 30)];
    return n % 2 === 0 ? [at(n - 20, 19), at(n - 20, 21)] : [at(n - 20, 20, 15)];
  };
  const events = numbers(70).map((n) =>
    event(
      `Event ${n}`,
      span(n)[0],
      {
        ...(n % 4 === 1 && { 'RC Tag': select(n % 8 === 1 ? 'RC Direct' : 'rc-affiliate') }),
        ...(n % 10 === 7 && { Location: select('Library') }),
        ...(n % 10 === 9 && { 'Include on Pub TV': tick(false) }),
        ...(n % 5 === 2 && { 'Duration Hours': number(2.5) }),
      },
      span(n)[1],
    ),
  );
  const programme = numbers(70).map((n) =>
    record(
      n < 30 ? `Event ${n}` : `Programme ${n}`,
      {
        'Event Start': when(span(n)[0], span(n)[1] ?? null),
        Location: select(n % 3 === 2 ? 'Library' : 'Pub'),
        ...(n % 5 === 2 && { 'Duration Hours': number(2.5) }),
        ...(n % 2 === 0 && { Description: text(`What it is, ${n}; with commas, and more.\n\nTwice.`) }),
        ...(n % 4 === 0 && { URL: url(`https://club.example/${n}?a=b,c`) }),
        ...(n % 11 === 10 && { Status: select('Cancelled') }),
        ...(n % 13 === 12 && { Status: select('Draft') }),
      },
      edited(n),
    ),
  );
  const assignments = numbers(50).map((n) =>
    record('Behind the bar', { Tender: relation(tenders[n % 20]!.id) }),
  );
  const shifts = numbers(50).map((n) => {
    const day = n - 9 - Math.floor(n / 10);
    return record('Evening', {
      Shift: when(at(day, 10), at(day, 25)),
      ...(n % 3 !== 2 && { 'Operating Hours': when(at(day, 11), at(day, 24, 30)) }),
      ...(n % 5 === 0
        ? { Tenders: relation(tenders[n % 20]!.id) }
        : { Assignments: relation(assignments[n]!.id, assignments[(n + 7) % 50]!.id) }),
    });
  });
  return { tenders, announcements, events, programme, assignments, shifts };
}
