import type { Context } from '#kernel/context.ts';
import { BUILD_ID } from '#views/assets.ts';

/** Identifies the build of the pages that this service serves: a screen that shows another one reloads itself. */
export function pageBuild(ctx: Context): string {
  return `${ctx.version}-${BUILD_ID}`;
}
