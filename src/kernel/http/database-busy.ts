import { BUSY_MS } from '#kernel/db/writes.ts';
import { AppError } from './errors.ts';

/** The answer to an error of `isBusyError`; the client can try again. */
export const databaseBusy = (): AppError =>
  new AppError(503, 'database_busy', {}, { extra: { retryAfter: BUSY_MS / 1_000 } });
