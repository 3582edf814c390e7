import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Returns a port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Systems give higher ports to outgoing connections and to servers that ask for any: they could take it meanwhile.
    const port = randomInt(20_000, 30_000);
    const server = net.createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
