import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from '#kernel/http/validation.ts';
import { ADMIN } from '#test/calendar/fixtures.ts';
import { testApp } from '#test/support/app.ts';
import { fieldJson, message } from '#test/support/messages.ts';

test.each<[name: string, schema: z.ZodType, input: unknown, path: string, words: string]>([
  ['a missing text', z.object({ a: z.string() }), {}, 'a', message('required')],
  ['no text', z.object({ a: z.string() }), { a: 1 }, 'a', message('not_text')],
  ['no object', z.object({}), 'x', '', message('not_object')],
  ['no object in a field', z.object({ a: z.object({}) }), { a: 'x' }, 'a', message('not_object')],
  ['no record', z.record(z.string(), z.string()), [], '', message('not_object')],
  ['no list', z.array(z.string()), 'x', '', message('not_list')],
  ['no number', z.number(), 'x', '', message('not_number')],
  ['no whole number', z.int(), 1.5, '', message('not_whole_number')],
  ['a small number', z.number().min(3), 1, '', message('too_small', { min: 3 })],
  ['a large number', z.number().max(3), 5, '', message('too_large', { max: 3 })],
  ['an empty text', z.string().min(1), '', '', message('empty')],
  ['a short text', z.string().min(4), 'x', '', message('too_short', { min: 4 })],
  ['a long text', z.string().max(2), 'xxx', '', message('too_long', { max: 2 })],
  ['a short list', z.array(z.any()).min(2), [1], '', message('too_few_entries', { min: 2 })],
  ['a long list', z.array(z.any()).max(1), [1, 2], '', message('too_many_entries', { max: 1 })],
  ['no web address', z.url(), 'x', '', message('not_web_address')],
  ['another form', z.string().regex(/^a$/), 'x', '', message('not_valid')],
  ['none of some values', z.enum(['a', 'b']), 'x', '', message('not_one_of', { values: 'a, b' })],
  ['another literal', z.literal('a'), 'x', '', message('not_one_of', { values: 'a' })],
  ['an unknown field', z.strictObject({}), { foo: 1 }, 'foo', message('unknown_field')],
  ['none of several kinds', z.union([z.string(), z.object({})]), 1, '', message('not_valid')],
  [
    'almost one of several kinds',
    z.union([z.string().max(1), z.object({})]),
    'xx',
    '',
    message('too_long', { max: 1 }),
  ],
  ['a check without words', z.string().refine(() => false), 'x', '', message('not_valid')],
])('%s is refused in own words', (_, schema, input, path, words) => {
  const { error } = schema.safeParse(input);
  expect(fieldErrors(error!).map((one) => [one.path, one.message])).toEqual([[path, words]]);
});

test('a link of another type is refused in own words', async () => {
  await using service = await testApp();
  const { errors } = (await service.post('/admin/elections', { workspace_link: 'x' }, ADMIN)).json();
  expect(errors.find(({ path }: { path: string }) => path === 'workspace_link')).toEqual(
    fieldJson('workspace_link', 'not_object'),
  );
});
