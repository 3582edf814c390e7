import { expect, test } from 'vitest';
import { nestForm } from '#kernel/http/form.ts';

test('dotted field names of a form become objects and lists', () => {
  expect(
    nestForm({
      title: 'Chair',
      'settings.hide': ['false', 'true'],
      'results.contests.0.label': 'A',
      'results.contests.0.items.1.votes': '3',
    }),
  ).toEqual({
    title: 'Chair',
    settings: { hide: 'true' },
    // biome-ignore lint/suspicious/noSparseArray: the first item was not sent
    results: { contests: [{ label: 'A', items: [, { votes: '3' }] }] },
  });
});

test('a hostile field name changes no prototype and creates no huge list', () => {
  const nested = nestForm({
    '__proto__.polluted': 'yes',
    'constructor.prototype.polluted': 'yes',
    'a.__proto__.polluted': 'yes',
    'list.99999999.x': 'far',
    'a.b.c.d.e.f.g.h.i.j': 'deep',
  });

  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(JSON.stringify(nested).length).toBeLessThan(200);
});
