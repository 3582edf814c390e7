import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type IconName, icon } from './icons.ts';
import { hidden } from './slots.ts';

/** A stage of an election. */
export type Stage = 'draft' | 'scheduled' | 'open' | 'closed' | 'published';

const STAGES: Record<Stage, { sign: IconName; word: Words }> = {
  draft: { sign: 'pencil', word: t('common.status.draft') },
  scheduled: { sign: 'clock', word: t('common.status.scheduled') },
  open: { sign: 'door', word: t('common.status.open') },
  closed: { sign: 'lock', word: t('common.status.closed') },
  published: { sign: 'board', word: t('common.status.published') },
};

/** The stage of an election as a word with an icon. */
export function statusBadge(stage: Stage): Html {
  const { sign, word } = STAGES[stage];
  return html`<span class="badge badge-${stage}">${icon(sign)}${word}</span>`;
}

/** Any other short label; `danger` stands for a failure, `open` for success, `scheduled` for what is pending. */
export function badge(text: Words | string, tone?: 'open' | 'scheduled' | 'danger'): Html {
  const signs = { open: 'check', scheduled: 'clock', danger: 'warning' } as const;
  return html`<span class="badge${tone && ` badge-${tone}`}">${tone && icon(signs[tone])}${text}</span>`;
}

/**
 * The stages of an election as a line of steps, without those that were `skipped`; `notes` are dates or counts under a
 * step. The short line is the current step alone on a phone.
 */
export function stageLine(
  current: Stage,
  notes: Partial<Record<Stage, Words | string>> = {},
  skipped: readonly Stage[] = [],
): Html {
  const stages = (Object.keys(STAGES) as Stage[]).filter(
    (stage) => stage === current || !skipped.includes(stage),
  );
  const at = stages.indexOf(current);
  return html`<ol class="stages" aria-label="${t('common.status.stages')}">${stages.map((stage, index) => {
    const state = index < at ? html` class="done"` : index === at ? html` aria-current="step"` : null;
    const { word, sign } = STAGES[stage];
    const name =
      index < at
        ? t('common.status.step_done', { stage: word, hidden })
        : index === at
          ? t('common.status.step_now', { stage: word, hidden })
          : word;
    return html`<li${state}><span class="stage-dot">${index <= at && icon(index < at ? 'check' : sign)}</span>
<span>${name}${notes[stage] && html`<br><span class="small">${notes[stage]}</span>`}</span></li>`;
  })}</ol>`;
}
