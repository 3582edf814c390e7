// Sends photos to the service for the content bench, all at once, in its own process so that it does not delay the one
// that times the votes. Forked with the URL, the number of photos and a file; sends the statuses to its parent.
import fs from 'node:fs';
import { MANAGER } from '#test/faults/service.ts';
import { multipart } from '#test/support/pictures.ts';

const [url = '', count = '1', file = ''] = process.argv.slice(2);
const photo = fs.readFileSync(file);
const forms = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    // Each file differs: the service would not render a known picture again.
    multipart({ alt: 'A photo' }, { picture: { bytes: Buffer.concat([photo, Buffer.from(String(index))]) } }),
  ),
);
process.send?.('ready');
const statuses = await Promise.all(
  forms.map(async ({ payload, headers }) => {
    const answer = await fetch(`${url}/api/admin/pictures`, {
      method: 'POST',
      headers: { ...headers, ...MANAGER },
      body: new Uint8Array(payload),
    });
    await answer.arrayBuffer();
    return answer.status;
  }),
);
process.send?.(statuses);
