// Some clients of the fan-out bench, in one process. Reports how many streams are open, and for each round the delays
// after which they received its track.
import { once } from 'node:events';
import net from 'node:net';

const [port, count, first] = process.argv.slice(2).map(Number) as [number, number, number];
const AT_ONCE = 100;
const TITLE = /"title":"Round (\d+)"/;

let open = 0;
/** Delays (ms) of these clients for each round, by the system clock, which all processes share. */
const delays = new Map<number, number[]>();
const sentAt = new Map<number, number>();

process.on('message', (message: { round: number; at: number } | 'report') => {
  if (message === 'report') process.send?.({ open, delays: [...delays] });
  else sentAt.set(message.round, message.at);
});

for (let at = 0; at < count; at += AT_ONCE)
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, index) => connect(first + at + index)),
  );
process.send?.({ ready: open });

async function connect(index: number): Promise<void> {
  const localAddress = `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /api/now-playing/current HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n');
  let text = '';
  await new Promise<void>((done) => {
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('event: ping')) done();
    });
    socket.on('close', () => done());
  });
  if (!text.includes('event: ping')) return;
  open += 1;
  socket.on('close', () => {
    open -= 1;
  });
  socket.removeAllListeners('data');
  text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      take(text.slice(0, end));
      text = text.slice(end + 2);
    }
  });
}

function take(frame: string): void {
  const round = frame.startsWith('event: track') ? Number(TITLE.exec(frame)?.[1] ?? -1) : -1;
  const from = sentAt.get(round);
  if (from === undefined) return;
  delays.set(round, [...(delays.get(round) ?? []), Date.now() - from]);
}
