/** What an operator looks after, as /admin/health and the metrics say it. */
export interface Check {
  /** Names it in the metrics. */
  name: string;
  title: string;
  /** `off` for what the club does not use. */
  state: 'ok' | 'attention' | 'failing' | 'off';
  /** How it is, in words. */
  text: string;
  /** What to do about it. */
  remedy?: string;
  /** Where. */
  link?: { href: string; label: string };
}

/** Reads how everything is. */
export type ListChecks = () => Promise<Check[]>;
