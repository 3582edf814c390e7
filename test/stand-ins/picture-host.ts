import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** A local host of pictures, whose answers can be replaced. */
export interface PictureHost {
  /** The address of a picture; each name has a different one. */
  urlOf(name: string): string;
  /** The names of the requested pictures. */
  asked: string[];
  /** Answers in place of a picture, by name. */
  faults: Map<string, (response: http.ServerResponse) => void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param draw the bytes of the picture of a name */
export async function startPictureHost(draw = drawSmall): Promise<PictureHost> {
  const server = http.createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    host.asked.push(name);
    const fault = host.faults.get(name);
    if (fault) return fault(response.on('error', () => undefined));
    const bytes = await draw(name);
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host: PictureHost = {
    urlOf: (name) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    asked: [],
    faults: new Map(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return host;
}

function drawSmall(name: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = Buffer.from(name.padStart(3)).subarray(-3);
  return sharp({ create: { width: 24, height: 16, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}
