// The content that the club still has in its workspace: a few pages that `/admin/content/import` can import.
import { event, onTv, pubDatabases, record, text } from '#test/stand-ins/pub-workspace.ts';
import { type FakeWorkspace, startWorkspace } from '#test/stand-ins/workspace-server.ts';
import type { Around } from './around.ts';
import type { DemoClub } from './clubs/club.ts';

/** Starts a workspace with this content on a free local port. */
export function playWorkspace({ workspace }: DemoClub, at: Around): Promise<FakeWorkspace & AsyncDisposable> {
  const { announcement } = workspace;
  const events = workspace
    .events(at)
    .map(({ title, text: about, date, time, end_time }) =>
      event(title, at.instant(date, time), { Description: text(about) }, at.instant(date, end_time)),
    );
  const slide = record(announcement.title, { ...onTv, Content: text(announcement.text) });
  return startWorkspace(pubDatabases({ events, announcements: [slide] }));
}
