import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { isDiskError } from '#kernel/db/writes.ts';
import { AppError, conflict } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type ImportReport, importWorkspace } from './import.ts';

/** The result of the last run. */
export type LastImport = { at: number; dryRun: boolean } & (
  | { report: ImportReport }
  | { failed: Words | string }
);

/** Runs one import at a time and keeps the result of the last one. */
export class Importer {
  /** Undefined before the first run since the service started. */
  last: LastImport | undefined;
  /** Progress of the running import, in records; 0 of 0 while the workspace is read. */
  running: { dryRun: boolean; done: number; of: number } | undefined;
  readonly #ctx: Context;
  readonly #stop = new AbortController();
  #run: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** @throws AppError 409 while another one runs, and as `importWorkspace` */
  run(dryRun: boolean, actor: Actor): Promise<ImportReport> {
    if (this.running) throw conflict('import_running');
    const running = { dryRun, done: 0, of: 0 };
    this.running = running;
    const onProgress = (done: number, of: number) => void Object.assign(running, { done, of });
    const { signal } = this.#stop;
    const run = importWorkspace(this.#ctx, { dryRun, actor, signal, onProgress });
    const ended = { at: actor.at, dryRun };
    this.#run = run
      .then(
        (report) => {
          this.last = { ...ended, report };
        },
        (error: Error) => {
          this.last = { ...ended, failed: messageOf(error) };
          if (!(error instanceof AppError)) this.#ctx.log.error({ err: error }, 'the import failed');
        },
      )
      .finally(() => {
        this.running = undefined;
      });
    return run;
  }

  /** Stops the running import between two records, before the database is closed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#run;
  }
}

function messageOf(error: Error): Words | string {
  if (error instanceof AppError) return error.pageText ?? error.message;
  if (isDiskError(error)) return t('content-admin.import_note.disk');
  return t('content-admin.import_note.failed');
}
