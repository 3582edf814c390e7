// The worker thread that reads one calendar file; started by readInThread.
import { workerData } from 'node:worker_threads';
import { say } from '#kernel/thread-side.ts';
import { readCalendarFile } from './calendar-file.ts';
import { UnreadableFile } from './components.ts';
import { isSameContent, makeContent, parseContent } from './content.ts';
import type { ReadAnswer, ReadTask } from './reader.ts';

say(read(workerData));

function read({ bytes, before: kept, charset, zone, now, untitled, window }: ReadTask): ReadAnswer {
  try {
    const { dates, ...file } = readCalendarFile(bytes, { window, clubZone: zone, charset });
    const before = parseContent(kept);
    const content = makeContent({ ...file, dates }, { zone, now, before, untitled });
    const coming = content.dates.filter(({ end }) => end > now).length;
    const same = isSameContent(before, content);
    return { ok: true, ...file, kept: content.dates.length, coming, same, content: JSON.stringify(content) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { ok: false, fault: error.fault };
    throw error;
  }
}
