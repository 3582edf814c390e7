import type { WorkspacePart } from '#content/display.ts';
import { EVENT } from '#content/events/kind.ts';
import { ANNOUNCEMENT } from '#content/kinds/announcement.ts';
import { HOURS } from '#content/kinds/hours.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { TENDER } from '#content/kinds/tender.ts';
import type { Kind } from '#content/records/kind.ts';
import { everPublished, listImportedPages } from '#content/records/published.ts';
import { SHIFTS } from '#content/shifts.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import { type ContentSource, readContent } from '#kernel/workspace/stored-source.ts';
import { ANNOUNCEMENTS } from './announcements.ts';
import { EVENTS } from './events.ts';
import { TENDERS } from './tenders.ts';

/** Lists the workspace pages on the screens that were not imported; undefined until all sources were read once. */
export function listDisplayedPages(ctx: Context): WorkspacePart[] | undefined {
  const { TIME_ZONE: zone } = ctx.config;
  const parts = (kind: Pick<Kind, 'name'>, pages: readonly { id: string | undefined; title: string }[]) => {
    const imported = listImportedPages(ctx, kind);
    return pages
      .filter(({ id }) => id === undefined || !imported.has(id))
      .map(({ id, title }) => ({ id, kind: kind.name, title }));
  };
  const [events, announcements, shifts, tenders] = [
    readWhole(ctx, EVENTS),
    readWhole(ctx, ANNOUNCEMENTS),
    readWhole(ctx, SHIFTS),
    readWhole(ctx, TENDERS),
  ] as const;
  if (!events || !announcements || !shifts || !tenders) return undefined;
  // An empty shift database means that the pub is closed; without a database the hours are unknown.
  const onlyClosed =
    shifts.length === 0 &&
    SHIFTS.databaseId(ctx.config) !== undefined &&
    !everPublished(ctx, [HOURS, SPECIAL]);
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
    ...(onlyClosed
      ? [
          {
            id: undefined,
            kind: HOURS.name,
            title: forClub(t('pub-staff.from_workspace.closed_when_nobody_works')),
          },
        ]
      : []),
  ];
}

/** The items of a source: empty if it is not configured, undefined if it was never read. */
function readWhole<Item>(ctx: Context, source: ContentSource<Item[]>): Item[] | undefined {
  return source.databaseId(ctx.config) === undefined ? [] : readContent(ctx, source).content;
}
