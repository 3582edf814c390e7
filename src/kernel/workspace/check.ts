import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { commas, momentInWords } from '#kernel/language/times.ts';

/** Checks whether the workspace answers, by the latest reads. */
export function checkWorkspace(ctx: Context): Check {
  const check = { name: 'workspace', title: t('settings.check.workspace') };
  if (!ctx.config.WORKSPACE_API_KEY)
    return { ...check, state: 'off', text: t('settings.check.none_connected') };
  const silent = [...ctx.sourceReaders.entries()].filter(([, source]) => source.failing);
  if (silent.length === 0) return { ...check, state: 'ok', text: t('settings.check.answers') };
  const readAt = Math.max(0, ...silent.map(([, source]) => source.read().readAt ?? 0));
  const since =
    readAt === 0
      ? t('settings.check.answered_yet')
      : t('settings.check.last_answer', { when: momentInWords(readAt, ctx.now(), ctx.config.TIME_ZONE) });
  return {
    ...check,
    state: 'attention',
    text: t('settings.check.read', { since, names: commas(silent.map(([name]) => name)) ?? '' }),
    remedy: t('settings.check.last_content_shown_until_answers'),
  };
}
