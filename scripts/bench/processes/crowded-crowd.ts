// The crowd of the crowded bench: many connections, each repeating its request as soon as it is answered. Forked with
// the port, `one` or `many` addresses, connections per page, and the pages. On any message sends the counts and exits.
import net from 'node:net';

const [port = '', addresses = 'one', connections = '1', ...pages] = process.argv.slice(2);

/** Answers by page and status. */
const answers: Record<string, Record<string, number>> = {};
let clients = 0;
for (const page of pages) {
  answers[page] = {};
  for (let count = 0; count < Number(connections); count++) keepAsking(page, clients++);
}
process.on('message', () => {
  process.send?.(answers, () => process.exit());
});
process.send?.('busy');

function keepAsking(page: string, client: number): void {
  const address = addresses === 'many' ? `X-Forwarded-For: 203.0.${client >> 8}.${client & 255}\r\n` : '';
  const request = `GET ${page} HTTP/1.1\r\nHost: club.example\r\nAccept: application/json\r\n${address}\r\n`;
  const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(request));
  /** Bytes of the response still to be received; undefined before its header. */
  let left: number | undefined;
  socket.on('data', (chunk: Buffer) => {
    left ??= headOf(chunk, page);
    left -= chunk.length;
    if (left > 0) return;
    left = undefined;
    socket.write(request);
  });
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => keepAsking(page, client), 10));
}

/** Counts a response by its status. @returns its length in bytes, header and body */
function headOf(chunk: Buffer, page: string): number {
  const end = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.toString('latin1', 0, end);
  const status = head.slice(9, 12);
  answers[page]![status] = (answers[page]![status] ?? 0) + 1;
  return end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
