import { expect, test } from 'vitest';
import { checkWorkspace, describeCheck, isFaulty } from '#pub/display/workspace-check.ts';
import { record, relation, tick, when } from '#test/stand-ins/pub-workspace.ts';
import { id } from '#test/stand-ins/workspace-server.ts';
import { startPub } from '#test/support/pub-service.ts';

test('the check says which properties were found, under which name, and which are missing', async () => {
  const pages = {
    shifts: [record('Tonight', { Shift: when('2026-11-21'), Assignments: relation(id(0x801)) })],
    assignments: [record('A', { Tender: relation(id(0xaa1)) }, { id: id(0x801) })],
    tenders: [record('Ann', { Active: tick() }, { id: id(0xaa1) })],
  };
  await using pub = await startPub(pages, {
    WORKSPACE_PUB_TENDERS_DATABASE_ID: '',
    WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: id(0xdead),
  });
  const [events] = pub.workspace.databases;
  events!.sources[0]!.columns = {
    Titel: { type: 'title' },
    'event start': { type: 'date' },
    LOCATION: { type: 'url' },
  };
  pub.service.clock.now += 3_600_000;

  const checks = await checkWorkspace(pub.service.ctx);
  const lines = checks.flatMap(describeCheck);

  expect(checks.map((check) => [check.record, isFaulty(check)])).toEqual([
    ['event', true],
    ['announcement', true],
    ['shift', false],
    ['assignment', false],
    ['tender', false],
    ['program', false],
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      `event: “Events” ${id(0xe0)} (WORKSPACE_EVENTS_DATABASE_ID)`,
      '  start        event start (date)',
      '  location     LOCATION (url; better rich_text)',
      '  onTv         MISSING, and needed: one of Include on Pub TV, Pub TV, On Pub TV, Show on TV',
      'announcement: cannot be read (WORKSPACE_ANNOUNCEMENTS_DATABASE_ID)',
      '  The workspace has no such database, or does not share it with this service',
      `assignment: “Assignments” ${id(0xb0)} (found through the shifts)`,
      `tender: “Tenders” ${id(0x70)} (found through the shifts)`,
      '  url          Profile URL (url)',
      `program: “Events” ${id(0xe0)} (WORKSPACE_EVENTS_DATABASE_ID)`,
    ]),
  );
  expect(lines.some((line) => line.startsWith('  hours        not there: one of Duration Hours'))).toBe(true);
});
