import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from '#kernel/http/validation.ts';
import { ADMIN } from '#test/calendar/fixtures.ts';
import { testApp } from '#test/support/app.ts';

test.each<[name: string, schema: z.ZodType, input: unknown, path: string, words: string]>([
  ['a missing text', z.object({ a: z.string() }), {}, 'a', 'is required'],
  ['no text', z.object({ a: z.string() }), { a: 1 }, 'a', 'must be a text'],
  ['no object', z.object({}), 'x', '', 'must be an object'],
  ['no object in a field', z.object({ a: z.object({}) }), { a: 'x' }, 'a', 'must be an object'],
  ['no record', z.record(z.string(), z.string()), [], '', 'must be an object'],
  ['no list', z.array(z.string()), 'x', '', 'must be a list'],
  ['no number', z.number(), 'x', '', 'must be a number'],
  ['no whole number', z.int(), 1.5, '', 'must be a whole number'],
  ['a small number', z.number().min(3), 1, '', 'must be at least 3'],
  ['a large number', z.number().max(3), 5, '', 'must be at most 3'],
  ['an empty text', z.string().min(1), '', '', 'must not be empty'],
  ['a short text', z.string().min(4), 'x', '', 'must have at least 4 characters'],
  ['a long text', z.string().max(2), 'xxx', '', 'must have at most 2 characters'],
  ['a short list', z.array(z.any()).min(2), [1], '', 'must have at least 2 entries'],
  ['a long list', z.array(z.any()).max(1), [1, 2], '', 'must have at most 1 entries'],
  ['no web address', z.url(), 'x', '', 'must be a web address'],
  ['another form', z.string().regex(/^a$/), 'x', '', 'is not valid'],
  ['none of some values', z.enum(['a', 'b']), 'x', '', 'must be one of a, b'],
  ['another literal', z.literal('a'), 'x', '', 'must be one of a'],
  ['an unknown field', z.strictObject({}), { foo: 1 }, 'foo', 'is not known'],
  ['none of several kinds', z.union([z.string(), z.object({})]), 1, '', 'is not valid'],
  [
    'almost one of several kinds',
    z.union([z.string().max(1), z.object({})]),
    'xx',
    '',
    'must have at most 1 characters',
  ],
  ['a check without words', z.string().refine(() => false), 'x', '', 'is not valid'],
])('%s is refused in own words', (_, schema, input, path, words) => {
  const { error } = schema.safeParse(input);
  expect(fieldErrors(error!).map((one) => [one.path, one.message])).toEqual([[path, words]]);
});

test('a link of another type is refused in own words', async () => {
  await using service = await testApp();
  const { errors } = (await service.post('/admin/elections', { workspace_link: 'x' }, ADMIN)).json();
  expect(errors.find(({ path }: { path: string }) => path === 'workspace_link')).toEqual({
    path: 'workspace_link',
    message: 'must be an object',
  });
});
