import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { shared } from '#test/support/shared-app.ts';
import { asset } from '#views/assets.ts';
import { stylesheetAddress } from '#views/stylesheets.ts';

const app = shared(() => testApp());
const SHEET = stylesheetAddress('guests');
const SCRIPT = asset('joined/base.live+pub.song-search.js');

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['deflate', undefined],
  ['', undefined],
  ['identity;q=1, br;q=0.0', undefined],
])('files of a page are sent in the smallest form of %j: %s', async (accepted, encoding) => {
  const service = await app();
  for (const address of [SHEET, SCRIPT]) {
    const plain = (await service.get(address)).body;
    for (let time = 0; time < 2; time++) {
      const { rawPayload, headers, statusCode } = await service.get(address, { 'accept-encoding': accepted });
      const text =
        encoding === 'br'
          ? brotliDecompressSync(rawPayload)
          : encoding === 'gzip'
            ? gunzipSync(rawPayload)
            : rawPayload;

      expect([statusCode, headers['content-encoding'], headers.vary]).toEqual([
        200,
        encoding,
        'accept-encoding',
      ]);
      expect(headers['cache-control']).toContain('immutable');
      expect(text.toString()).toBe(plain);
      expect(Number(headers['content-length'])).toBe(rawPayload.length);
    }
  }
});

test('a joined file of unknown modules is not found', async () => {
  expect((await (await app()).get(asset('joined/pub.none.js'))).statusCode).toBe(404);
  expect((await (await app()).get(asset('joined/none.css'))).statusCode).toBe(404);
});
