import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/http/errors.ts';

/** One person's addresses for reading the programme. Each contains their token. */
export interface FeedLinks {
  icsUrl: string;
  /** The page with a button for each calendar program. */
  subscribeUrl: string;
  webcalUrl: string;
  googleUrl: string;
  outlookWeb: string;
}

/**
 * Builds the links from BASE_URL, never from the host that a request names.
 * @param title the calendar's title, which the Outlook link contains
 */
export function feedLinks(base: string, title: string, token: string): FeedLinks {
  const icsUrl = `${base}/cal/programs.ics?token=${token}&calendar_id=programs`;
  const webcalUrl = icsUrl.replace(/^https?:/, 'webcal:');
  return {
    icsUrl,
    subscribeUrl: `${base}/subscribe-programs?token=${token}`,
    webcalUrl,
    // Google accepts only webcal addresses, as one encoded value.
    googleUrl: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcalUrl)}`,
    outlookWeb: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(icsUrl)}&name=${encodeURIComponent(title)}`,
  };
}

/** @throws 500 while BASE_URL is not set */
export function ensureBaseUrl(config: Config): string {
  if (!config.BASE_URL) throw new AppError(500, 'configuration_missing', { names: ['BASE_URL'] });
  return config.BASE_URL;
}
