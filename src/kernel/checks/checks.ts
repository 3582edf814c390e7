import type { Words } from '#kernel/language/words.ts';

/** The state of something that an operator watches, for /admin/health and the metrics. */
export interface Check {
  /** Its label in the metrics. */
  name: string;
  title: Words | string;
  /** `off`: the club does not use it. */
  state: 'ok' | 'attention' | 'failing' | 'off';
  /** The state in words. */
  text: Words | string;
  /** What to do about it. */
  remedy?: Words | string;
  /** Where to do it. */
  link?: { href: string; label: Words | string };
  /** The name of the source that can be tried again by hand. */
  source?: string;
}

/** Runs all checks. */
export type ListChecks = () => Promise<Check[]>;
