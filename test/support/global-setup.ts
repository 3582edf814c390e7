import { chromiumDir } from './browser.ts';

/** Unpacks the browser once, before the test files run side by side. */
export default async function setup(): Promise<void> {
  await chromiumDir();
}
