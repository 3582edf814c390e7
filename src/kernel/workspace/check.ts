import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { momentInWords } from '#kernel/local-time.ts';

/** Checks whether the workspace answers, by the latest reads. */
export function checkWorkspace(ctx: Context): Check {
  const check = { name: 'workspace', title: 'Workspace' };
  if (!ctx.config.WORKSPACE_API_KEY) return { ...check, state: 'off', text: 'None is connected.' };
  const silent = [...ctx.sourceReaders.entries()].filter(([, source]) => source.failing);
  if (silent.length === 0) return { ...check, state: 'ok', text: 'It answers.' };
  const readAt = Math.max(0, ...silent.map(([, source]) => source.read().readAt ?? 0));
  const since =
    readAt === 0
      ? 'It has not answered yet'
      : `Last answer: ${momentInWords(readAt, ctx.now(), ctx.config.TIME_ZONE)}`;
  return {
    ...check,
    state: 'attention',
    text: `${since}. Not read: ${silent.map(([name]) => name).join(', ')}.`,
    remedy: 'The last content is shown until it answers. npm run workspace:check says what is missing.',
  };
}
