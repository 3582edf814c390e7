import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

const SIZE = 600;
const PALETTES = [
  ['#1f4d3a', '#d8a550', '#f1ebdf'],
  ['#8c2f2b', '#f1c9a5', '#2b1a17'],
  ['#1d2b4f', '#e7d7a8', '#c4583f'],
  ['#5b3a6b', '#f2b5a7', '#241a2e'],
  ['#e9e2d0', '#26403f', '#c9742c'],
  ['#0f3d47', '#f4efe1', '#7cc3a1'],
  ['#d98c3f', '#3b1f14', '#f7e6c4'],
];

/** Serves generated album covers on a free local port until it is disposed. */
export async function serveCovers(): Promise<{
  urlOf(album: string): string;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const server = http.createServer(async (request, response) => {
    const [, album] = /^\/covers\/([^/]+)\.png$/.exec(request.url ?? '') ?? [];
    if (!album) return response.writeHead(404).end();
    const png = await drawCover(album);
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.length }).end(png);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (album) => `http://127.0.0.1:${port}/covers/${digest(album).toString('hex').slice(0, 16)}.png`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Draws a square cover that depends only on the name: three colours and one of four motifs. */
export function drawCover(name: string): Promise<Buffer> {
  const bytes = digest(name);
  const byte = (index: number) => bytes[index % bytes.length] ?? 0;
  const [ground, main, mark] = PALETTES[byte(0) % PALETTES.length] ?? [];
  const at = (index: number, least: number, most: number) => least + ((most - least) * byte(index)) / 255;
  const motifs = [
    () =>
      [0, 1, 2, 3, 4].map(
        (i) => `<circle cx="${at(2, 150, 450)}" cy="${at(3, 200, 420)}" r="${260 - i * 52}"
          fill="${i % 2 ? ground : i === 4 ? mark : main}"/>`,
      ),
    () =>
      [0, 1, 2, 3, 4, 5, 6].map(
        (i) => `<rect x="${60 + i * 70}" y="${at(4 + i, 80, 380)}" width="44" height="${at(12 + i, 120, 420)}"
          fill="${i === byte(2) % 7 ? mark : main}"/>`,
      ),
    () => [
      `<path d="M0 ${at(2, 300, 460)} Q 150 ${at(3, 180, 340)} 300 ${at(4, 300, 440)} T 600 ${at(5, 260, 420)} V600 H0Z" fill="${main}"/>`,
      `<circle cx="${at(6, 120, 480)}" cy="${at(7, 100, 200)}" r="${at(8, 46, 84)}" fill="${mark}"/>`,
    ],
    () => [
      `<path d="M300 60 L540 300 L300 540 L60 300Z" fill="${main}"/>`,
      `<rect x="${300 - at(2, 50, 110)}" y="${300 - at(3, 50, 110)}" width="${at(2, 100, 220)}" height="${at(3, 100, 220)}" fill="${mark}"/>`,
    ],
  ];
  const shapes = (motifs[byte(1) % motifs.length] ?? motifs[0]!)().join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">
    <rect width="${SIZE}" height="${SIZE}" fill="${ground}"/>${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function digest(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
