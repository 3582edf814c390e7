import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/http/errors.ts';

/** The addresses by which one person reads the programme. Each carries their token. */
export interface FeedLinks {
  icsUrl: string;
  /** The page with a button for each calendar program. */
  subscribeUrl: string;
  webcalUrl: string;
  googleUrl: string;
  outlookWeb: string;
}

/**
 * Builds them on BASE_URL, never on what a request says of its host.
 * @param title the calendar's, for the program that asks for one
 */
export function feedLinks(base: string, title: string, token: string): FeedLinks {
  const icsUrl = `${base}/cal/programs.ics?token=${token}&calendar_id=programs`;
  const webcalUrl = icsUrl.replace(/^https?:/, 'webcal:');
  return {
    icsUrl,
    subscribeUrl: `${base}/subscribe-programs?token=${token}`,
    webcalUrl,
    // Google takes a subscription only under webcal, and as one encoded value.
    googleUrl: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcalUrl)}`,
    outlookWeb: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(icsUrl)}&name=${encodeURIComponent(title)}`,
  };
}

/** @throws 500 while BASE_URL is not set */
export function ensureBaseUrl(config: Config): string {
  if (!config.BASE_URL) throw new AppError(500, 'Missing configuration: BASE_URL');
  return config.BASE_URL;
}
