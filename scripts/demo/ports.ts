// The two ports of a demo: one for the service, and the next one for its outbox.
import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { Refused } from './options.ts';

/** Listens on a port. @throws Refused with the reason when it cannot */
export async function listenOn(server: net.Server | http.Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is taken, perhaps by another demo' : `cannot be used (${code})`;
    throw new Refused(`Port ${port} ${why}. Choose another one: npm run demo -- --port 4000`);
  }
}

/** @throws Refused when the port is taken */
export async function ensureFree(host: string, port: number): Promise<void> {
  const server = net.createServer();
  await listenOn(server, host, port);
  server.close();
  await once(server, 'close');
}
