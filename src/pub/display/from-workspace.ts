import type { WorkspacePart } from '#content/display.ts';
import { ANNOUNCEMENT } from '#content/kinds/announcement.ts';
import { EVENT } from '#content/kinds/event.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { TENDER } from '#content/kinds/tender.ts';
import type { Kind } from '#content/records/kind.ts';
import { listImportedPages } from '#content/records/published.ts';
import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import { readContent } from '#kernel/workspace/content-cache.ts';
import { ANNOUNCEMENTS } from './announcements.ts';
import { EVENTS } from './events.ts';
import { SHIFTS } from './shifts.ts';
import { TENDERS } from './tenders.ts';

/** What the screens take from pages of the workspace that were not imported. */
export function listDisplayedPages(ctx: Context): WorkspacePart[] {
  const { TIME_ZONE: zone } = ctx.config;
  const parts = (kind: Pick<Kind, 'name'>, pages: readonly { id: string | undefined; title: string }[]) => {
    const imported = listImportedPages(ctx, kind);
    return pages
      .filter(({ id }) => id === undefined || !imported.has(id))
      .map(({ id, title }) => ({ id, kind: kind.name, title }));
  };
  const [events, announcements, shifts, tenders] = [
    readContent(ctx, EVENTS).content ?? [],
    readContent(ctx, ANNOUNCEMENTS).content ?? [],
    readContent(ctx, SHIFTS).content ?? [],
    readContent(ctx, TENDERS).content ?? [],
  ] as const;
  return [
    ...parts(
      EVENT,
      events.map(({ id, title }) => ({ id, title })),
    ),
    ...parts(ANNOUNCEMENT, announcements),
    ...parts(
      SPECIAL,
      shifts.map(({ page, opens }) => ({ id: page, title: formatShort(opens, zone) })),
    ),
    ...parts(
      TENDER,
      tenders.map(({ id, fullName }) => ({ id, title: fullName })),
    ),
  ];
}
