import { MINUTE } from '#kernel/clock.ts';
import { Thread } from '#kernel/thread.ts';
import { type FeedContent, renderFeed } from './ics.ts';
import { faultIn } from './ics-check.ts';
import type { Program } from './programme.ts';

/** A rendered feed and its fault, if any; without a body if no valid feed could be rendered. */
export interface Rendered {
  body: string | undefined;
  /** The fault, and how many programs were left out because of it. */
  fault?: { fault: string; left: number };
}

/** A feed with more programs is rendered in a thread, because other requests would wait too long. */
const FEW = 100;
const LIMIT = MINUTE;

/** Renders a feed, a long one in a separate thread. @throws when the thread fails */
export async function render(content: FeedContent): Promise<Rendered> {
  if (content.programs.length <= FEW) return renderValidated(content);
  const thread = new Thread<Rendered>(new URL('./render-thread.ts', import.meta.url), {
    workerData: content,
  });
  try {
    return await thread.next(LIMIT);
  } finally {
    await thread.end();
  }
}

/** Renders a feed and checks it by parsing it. Programs that cause a fault are left out; the others stay. */
export function renderValidated(whole: FeedContent): Rendered {
  const first = renderChecked(whole);
  if (first.ok) return { body: first.body };
  const alone = (program: Program) => renderChecked({ ...whole, programs: [program] });
  const programs = whole.programs.filter((program) => alone(program).ok);
  const second = renderChecked({ ...whole, programs });
  const fault = { fault: first.fault, left: whole.programs.length - programs.length };
  return { body: second.ok ? second.body : undefined, fault };
}

function renderChecked(content: FeedContent): { ok: true; body: string } | { ok: false; fault: string } {
  try {
    const body = renderFeed(content);
    const fault = faultIn(body, content.programs, content.zone);
    return fault === undefined ? { ok: true, body } : { ok: false, fault };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}
