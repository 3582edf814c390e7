// One server for the stream bench: `service` is the service, `bare` a minimal fan-out over node:http, `net` only keeps
// sockets open. A forked child: sends its port to the parent, and on each message its memory usage.
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { buildApp } from '../../../src/app.ts';

const [mode, folder = '.'] = process.argv.slice(2);
const servers = { service, bare, net: sockets };

const { server, streams } = await servers[mode as keyof typeof servers]();
const served = new Set<net.Socket>();
server.on('connection', (socket: net.Socket) => {
  served.add(socket);
  socket.once('close', () => served.delete(socket));
});
process.on('message', () => {
  // Twice: objects that the first pass finalizes may keep others alive.
  global.gc?.();
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  let waiting = 0;
  for (const { writableLength } of served) waiting += writableLength;
  process.send?.({ held: heapUsed + external, rss, waiting, streams: streams() });
});
process.send?.({ port: (server.address() as net.AddressInfo).port });

async function service() {
  const env = {
    DATABASE_URL: `file:${path.join(folder, 'stream.db')}`,
    LOG_LEVEL: 'error',
    PUB_ADMIN_TOKEN: 'bench',
    STREAMS_AT_MOST: '1000000',
    STREAMS_PER_CLIENT: '1000000',
    NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000',
    OVERLOAD_DELAY_MS: '0',
  };
  const ctx = await openContext(readConfig(env, ''));
  const app = await buildApp(ctx);
  await app.listen({ port: 0, backlog: 4_096 });
  return { server: app.server, streams: () => ctx.connections.size };
}

async function bare() {
  const open = new Set<http.ServerResponse>();
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const frame = Buffer.from(`event: track\ndata: ${body}\n\n`);
        for (const one of open) one.write(frame);
        response.end('{}');
      });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': connected\n\nevent: ping\ndata: {}\n\n');
    open.add(response);
    response.on('close', () => open.delete(response));
  });
  await new Promise<void>((listening) => server.listen({ port: 0, backlog: 4_096 }, listening));
  return { server, streams: () => open.size };
}

async function sockets() {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nevent: ping\n\n'));
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((listening) => server.listen({ port: 0, backlog: 4_096 }, listening));
  return { server, streams: () => open.size };
}
