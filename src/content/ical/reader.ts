import { DAY, SECOND } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { clubReader } from '#kernel/locale.ts';
import { Thread, ThreadEnded } from '#kernel/thread.ts';
import type { CalendarFile } from './calendar-file.ts';
import type { FileFault } from './faults.ts';
import type { Window } from './series.ts';

/** The input of the worker thread. */
export interface ReadTask {
  bytes: Uint8Array;
  /** The stored content of the source, as JSON. */
  before: string | null;
  /** Of the Content-Type. */
  charset: string | undefined;
  zone: string;
  now: number;
  window: Window;
  /** The title of an event without one. */
  untitled: string;
}

/** The content of a file; or why it cannot be read. */
export type ReadAnswer =
  | (Omit<CalendarFile, 'dates'> & {
      ok: true;
      /** The number of stored dates, and how many of them have not ended. */
      kept: number;
      coming: number;
      /** Whether it is shown the same way as the content stored before. */
      same: boolean;
      /** IcalContent, as JSON. */
      content: string;
    })
  | { ok: false; fault: FileFault };

const LIMIT = 15 * SECOND;
const MEMORY_MB = 256;
/** The feed has events from 90 days ago to 400 days ahead; the margin covers a source that was down for weeks. */
const DAYS_BACK = 95;
const SERIES_DAYS_BACK = 32;
const DAYS_AHEAD = 460;

/**
 * Reads a calendar file in a worker thread limited to 256 MB and 15 seconds: an external file must neither block
 * requests nor fill the memory.
 * @param zone the club's zone
 * @param before the stored content of the source
 * @param charset of the Content-Type
 */
export async function readInThread(
  body: Buffer,
  {
    zone,
    now,
    before,
    charset,
    limit = LIMIT,
  }: { zone: string; now: number; before: string | null; charset?: string | undefined; limit?: number },
): Promise<ReadAnswer> {
  // Copies a small body, which shares its buffer with others, so that the buffer can be transferred to the thread.
  const bytes = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
  const window = {
    from: now - DAYS_BACK * DAY,
    seriesFrom: now - SERIES_DAYS_BACK * DAY,
    until: now + DAYS_AHEAD * DAY,
  };
  const untitled = t('calendar.untitled').for(clubReader());
  const task: ReadTask = { bytes, before, charset, zone, now, window, untitled };
  const thread = new Thread<ReadAnswer>(new URL('./reader-thread.ts', import.meta.url), {
    workerData: task,
    transferList: [bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    return await thread.next(limit);
  } catch (error) {
    if (error instanceof ThreadEnded) return { ok: false, fault: 'too_long' };
    const full = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    return { ok: false, fault: full ? 'too_large' : 'unreadable' };
  } finally {
    await thread.end();
  }
}
