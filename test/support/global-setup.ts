import { chromiumDir } from '#test/support/browser/browser.ts';

/** Unpacks the browser once, before the test files run in parallel. */
export default async function setup(): Promise<void> {
  await chromiumDir();
}
