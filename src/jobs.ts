import { DAY, HOUR, SECOND } from './kernel/clock.ts';
import type { Context } from './kernel/context.ts';
import type { Job } from './kernel/scheduler.ts';
import { refreshDisplay } from './pub/display/feeds.ts';
import { forgetImages } from './pub/display/images.ts';
import { sendQueuedInvites } from './voting/invite-delivery.ts';
import { forgetClosedLinks } from './voting/invites.ts';
import { sweepMagicLinks } from './voting/magic-links.ts';
import { settleClosedElections } from './voting/results.ts';
import { syncChangedElections } from './voting/workspace-link.ts';

/** Everything the service does by itself. */
export function jobs(ctx: Context): Job[] {
  return [
    { name: 'send queued invites', every: SECOND, run: () => sendQueuedInvites(ctx) },
    { name: 'settle closed elections', every: 5 * SECOND, run: () => settleClosedElections(ctx) },
    { name: 'forget closed voting links', every: 5 * SECOND, run: () => forgetClosedLinks(ctx) },
    { name: 'sync changed elections', every: 10 * SECOND, run: () => syncChangedElections(ctx) },
    { name: 'refresh the display', every: 5 * SECOND, run: () => refreshDisplay(ctx) },
    { name: 'forget unused images', every: DAY, run: () => forgetImages(ctx) },
    { name: 'sweep magic links', every: HOUR, run: () => sweepMagicLinks(ctx) },
  ];
}
