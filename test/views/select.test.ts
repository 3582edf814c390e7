import { expect, test } from 'vitest';
import { selectField } from '#views/components/forms.ts';

const OPTIONS = [
  { value: 'a', label: 'Ann' },
  { value: 'b', label: 'Bob' },
];

const offered = (
  value: string | null | undefined,
  groups = [{ title: 'Others', options: [OPTIONS[1]!] }],
) => {
  const markup = String(selectField({ name: 'who', label: 'Who', options: [OPTIONS[0]!], groups, value }));
  return [...markup.matchAll(/<option value="([^"]*)"( selected)?>/g)].map(([, one, chosen]) =>
    chosen ? `${one}!` : one,
  );
};

test.each([
  ['none', undefined, ['a', 'b']],
  ['none that is stored', null, ['a', 'b']],
  ['an empty one', '', ['a', 'b']],
  ['one of its options', 'a', ['a!', 'b']],
  ['one of a group', 'b', ['a', 'b!']],
  ['one that it does not know', 'c', ['a', 'b', 'c!']],
])('a select offers its options once, and the stored value: %s', (_, value, expected) => {
  expect(offered(value)).toEqual(expected);
});
