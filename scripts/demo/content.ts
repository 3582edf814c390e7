// Adds the club's own content through the API of its editors: tenders, opening hours, rosters, events, slides, the
// bar's list, and an external calendar.
import { calendarHost, calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import type { Around } from './around.ts';
import type { DemoClub, Drawing } from './clubs/club.ts';
import { drawPlace, drawPortrait } from './drawings.ts';
import type { Service } from './service.ts';

/** Days with a roster, relative to today. */
const ROSTERS = { from: -3, to: 12 };
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Writes and publishes all content. */
export async function writeContent(service: Service, club: DemoClub, at: Around): Promise<void> {
  const publish = async (kind: string, body: object): Promise<string> =>
    (await service.post(`/api/admin/content/${kind}`, { body, publish: true })).id;
  const drawn = new Map<Drawing, string>();
  const pictureOf = async (drawing: Drawing) => {
    const known =
      drawn.get(drawing) ?? (await sendPicture(service, await drawPlace(drawing), club.pictures[drawing]));
    drawn.set(drawing, known);
    return known;
  };

  const tenders: string[] = [];
  for (const [who, { name, bio, tips }] of club.tenders.entries()) {
    const picture = await sendPicture(service, await drawPortrait(who), name);
    const [payment_a, payment_b] = tips;
    const shown = { full_name: name, bio, active: true, meet: true, show_profile: true };
    tenders.push(await publish('tender', { ...shown, payment_a, payment_b, picture }));
  }
  await writeHours(publish, club, at);
  for (let day = ROSTERS.from; day <= ROSTERS.to; day++) {
    const pair = [0, 1].map((next) => tenders[(day - ROSTERS.from + next) % tenders.length]);
    await publish('roster', { date: at.day(day), tenders: pair });
  }
  for (const { drawing, ...body } of club.events(at))
    await publish('event', { ...body, ...(drawing && { picture: await pictureOf(drawing) }) });
  for (const { drawing, ...body } of club.announcements(at))
    await publish('announcement', { ...body, ...(drawing && { picture: await pictureOf(drawing) }) });
  await writeMenu(publish, service, club);
}

/** Adds the bar's list, with the currency of its prices. Of the last keg only a little is left. */
async function writeMenu(
  publish: (kind: string, body: object) => Promise<string>,
  service: Service,
  { currency, menu }: DemoClub,
): Promise<void> {
  await service.put('/api/admin/settings', { currency });
  for (const [order, { items, ...about }] of menu.entries()) {
    const section = await publish('menu_section', { ...about, order });
    for (const [place, { size, price, ...item }] of items.entries()) {
      const sizes = [{ label: size, price }];
      const id = await publish('menu_item', { ...item, section, order: place, sizes });
      const state = place === items.length - 1 ? 'last' : 'on';
      if (about.on_tap) await service.post(`/api/admin/taps/${place + 1}`, { item_id: id, state });
    }
  }
}

/** Adds the usual week, earlier hours today so that the pub is open when the demo is started, and a closed day. */
async function writeHours(
  publish: (kind: string, body: object) => Promise<string>,
  { hours: { note, early, closed } }: DemoClub,
  at: Around,
): Promise<void> {
  const usual = [{ opens: '16:00', closes: '01:00' }];
  const longer = [{ opens: '12:00', closes: '02:00' }];
  const week = Object.fromEntries(WEEK.map((day) => [day, day === 'fri' || day === 'sat' ? longer : usual]));
  await publish('hours', { from: at.day(-60), week, note });
  if (at.hour < 16) {
    const opens = `${String(Math.max(1, at.hour - 1)).padStart(2, '0')}:00`;
    await publish('special', { from: at.day(0), ranges: [{ opens, closes: '00:30' }], reason: early });
  }
  await publish('special', { from: at.day(9), closed: true, reason: closed });
}

async function sendPicture(service: Service, bytes: Uint8Array<ArrayBuffer>, alt: string): Promise<string> {
  return (await service.upload('/api/admin/pictures', { bytes, fields: { alt } })).id;
}

/** Serves the external calendar file on this machine. */
export function startNeighbour({ neighbour }: DemoClub, at: Around) {
  const plain = (date: string, time: string) => `${date}T${time}00`.replace(/[-:]/g, '');
  const body = calendarText(
    neighbour
      .events(at)
      .map(({ title, place, date, time, end_time, rule }) =>
        eventLines(
          title,
          plain(date, time),
          `DTEND:${plain(date, end_time)}`,
          `LOCATION:${place}`,
          ...(rule ? [`RRULE:${rule}`] : []),
        ),
      ),
  );
  return calendarHost(() => ({ headers: { 'content-type': 'text/calendar; charset=utf-8' }, body }));
}

/** Adds that file as a source. Its address is on this machine, which the service reads only in development. */
export async function addNeighbour(service: Service, { neighbour }: DemoClub, url: string): Promise<void> {
  const { name, prefix } = neighbour;
  const goes_to = ['screens', 'calendar'];
  await service.post('/api/admin/ical', { name, prefix, goes_to, address: `${url}/calendar.ics` });
}
