import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';

const PUBLIC = ['/api/gallery', '/api/gallery/:id', '/media/*'];
const STAFF = [
  '/api/admin/media',
  '/api/admin/media/:id',
  '/api/admin/repair/ids',
  '/api/admin/repair/orphans',
];

/** The public routes of the former gallery, which answer 410. Nothing of it is stored. */
export function gone(app: App): void {
  for (const url of PUBLIC) app.all(url, { onRequest: refuse }, refuse);
}

/** Its routes for officers; other people do not learn that they existed. */
export function goneForStaff(app: App): void {
  for (const url of STAFF) app.all(url, { config: { permission: 'any' }, onRequest: refuse }, refuse);
}

/** Refuses before the body is read, because uploads are not accepted any more. */
function refuse(): never {
  throw new AppError(410, 'gallery_gone');
}
