// Backups while voting is open: two with one voter in between, and the voting links in one.
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { Club } from './club.ts';

const MEMBERS = Array.from({ length: 12 }, (_, index) => `member${index}@club.example`);
const GIVES_AWAY =
  'after a single vote, the vote and the name. Two taken during voting show which ballots and which voters came between them: with one voter between them, the vote and the name.';

async function twoBackups(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election();
  await club.post(`/admin/elections/${id}/invite`, { emails: MEMBERS });
  const [token = ''] = await club.tokens(id, 1);
  const folder = path.join(club.folder, 'backups');
  const copies = () => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

  const first = await club.run('backup');
  await club.vote(id, [token], () => ({ choice: 'yes' }));
  const second = await club.run('backup');
  const refused = copies();
  const forced = await club.run('backup', '--now');
  const live = new Sqlite(club.file, { readonly: true });
  const links = live.prepare('SELECT token_plaintext FROM invites').pluck().all() as string[];
  live.close();
  const [copy = ''] = copies();
  const bytes = fs.readFileSync(path.join(folder, copy), 'latin1');
  const key = fs.readFileSync(path.join(club.folder, 'service.key'), 'utf8').trim();
  const held = links.filter((link) => link !== null && bytes.includes(link)).length;
  await club.close(id);
  const after = await club.run('backup', '--keep', '5');
  return {
    saw: `while voting is open: ${first.code} and ${second.code}, ${refused.length} copies; with --now ${forced.code}, ${held} of ${links.filter(Boolean).length} links in it; after the close ${after.code}`,
    wrong: [
      ...unless(first.code === 3 && second.code === 3 && refused.length === 0, 'a copy was made'),
      ...unless(first.said.includes(GIVES_AWAY), 'it does not say what two copies give away'),
      ...unless(forced.code === 0 && copy.endsWith('.db'), `--now made none: ${forced.said}`),
      ...unless(forced.said.includes(GIVES_AWAY), '--now does not say what it gives away'),
      ...unless(links.filter(Boolean).length === MEMBERS.length, 'there was no link to find'),
      ...unless(held === 0, 'the copy holds links'),
      ...unless(!bytes.includes(key), 'the copy holds the key'),
      ...unless(!copies().some((name) => name.endsWith('.key')), 'the key is beside the copy'),
      ...unless(after.code === 0, `after the close there is none: ${after.said}`),
    ],
  };
}

export const backups: Alone[] = [['backups during voting', twoBackups]];
