// The service for the meeting bench: meetings with a motion and a card for each phone, with the limits of every service.
// A forked child: writes its port, the meetings and their cards to a file, then sends `ready`; opens a motion on a
// message with the number of its meeting.
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isoTime } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { addItem, ItemInput } from '#meetings/agenda.ts';
import { CARDS_A_PACK, openPack, printPacks } from '#meetings/door/cards.ts';
import { getMeeting, MeetingInput } from '#meetings/meetings.ts';
import { newMeeting } from '#meetings/new-meeting.ts';
import { OpenInput, openItem } from '#meetings/room/acts.ts';
import { buildApp } from '../../../src/app.ts';

const [folder = '.', ...phones] = process.argv.slice(2);

/** A meeting as the phones know it. */
export interface BenchMeeting {
  id: string;
  paper: string;
  item: string;
  election: string;
  codes: string[];
}

const config = readConfig(
  {
    DATABASE_URL: `file:${path.join(folder, 'meeting.db')}`,
    LOG_LEVEL: 'error',
    TRUSTED_PROXIES: '127.0.0.1',
  },
  '',
);
const ctx = await openContext(config);
const actor = () => ({ ip: 'bench', at: ctx.now() });
const meetings: BenchMeeting[] = [];
for (const count of phones.map(Number)) meetings.push(await makeMeeting(count));

const app = await buildApp(ctx);
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
fs.writeFileSync(
  path.join(folder, 'meeting.json'),
  JSON.stringify({ port: (app.server.address() as AddressInfo).port, meetings }),
);
process.on('message', async (which: number) => {
  const { id, item, codes } = meetings[which]!;
  const input = OpenInput.parse({ seconds: 3_600, present: codes.length });
  await openItem(ctx, { meetingId: id, itemId: item, actor: actor() }, input);
});
process.send?.('ready');

async function makeMeeting(cards: number): Promise<BenchMeeting> {
  const id = await newMeeting(
    ctx,
    MeetingInput.parse({ title: 'Annual general meeting', held_at: isoTime(ctx.now()) }),
    actor(),
  );
  const motion = { kind: 'motion', title: 'New lamps for the bar', text: 'The club buys new lamps.' };
  const { id: item, election_id = '' } = await addItem(ctx, id, ItemInput.parse(motion), actor());
  const packs = await printPacks(
    ctx,
    id,
    { class: 'Members', packs: Math.ceil(cards / CARDS_A_PACK) },
    actor(),
    { whileOpen: false },
  );
  for (const pack of packs) await openPack(ctx, id, pack.id, actor());
  const codes = packs.flatMap((pack) => pack.cards.map(({ code }) => code)).slice(0, cards);
  return { id, paper: getMeeting(ctx.db, id).paper_id ?? '', item, election: election_id, codes };
}
