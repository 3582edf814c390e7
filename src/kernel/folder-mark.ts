import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

/**
 * Marks the folder of this program as in use until the process ends, however it ends: scripts/ensure.cjs replaces no
 * packages under a running service, whose threads load theirs when they start. The mark is an abstract socket with the
 * hash of the folder in its name, which needs no file and which every user sees. Linux alone has them.
 */
export function markFolder(): void {
  if (process.platform !== 'linux') return;
  const root = fs.realpathSync(path.join(import.meta.dirname, '../..'));
  const hash = createHash('sha256').update(root).digest('hex');
  const mark = net.createServer((socket) => socket.destroy());
  // A system that allows no such socket only loses the mark.
  mark.on('error', () => mark.close());
  mark.listen(`\0publichouse:${hash}:${process.pid}`).unref();
}
