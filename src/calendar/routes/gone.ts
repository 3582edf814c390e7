import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';

const PUBLIC = ['/api/gallery', '/api/gallery/:id', '/media/*'];
const STAFF = [
  '/api/admin/media',
  '/api/admin/media/:id',
  '/api/admin/repair/ids',
  '/api/admin/repair/orphans',
];

/** What once was the gallery, for everyone. Nothing of it is stored. */
export function gone(app: App): void {
  for (const url of PUBLIC) app.all(url, { onRequest: refuse }, refuse);
}

/** Its officers' part; strangers do not learn that there was one. */
export function goneForStaff(app: App): void {
  for (const url of STAFF) app.all(url, { config: { permission: 'any' }, onRequest: refuse }, refuse);
}

/** Before a body is read: whatever was once uploaded here, it is not taken any more. */
function refuse(): never {
  throw new AppError(410, 'Gone', {
    extra: { message: 'The gallery was retired. Nothing of it is kept here, and nothing is taken any more.' },
  });
}
