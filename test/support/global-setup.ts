import { chromiumDir } from './browser.ts';

/** Unpacks the browser once, before the test files run in parallel. */
export default async function setup(): Promise<void> {
  await chromiumDir();
}
