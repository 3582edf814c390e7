import { expect, test } from 'vitest';
import { newCode, newId } from '#kernel/ids.ts';

test('ids are valid and unique UUIDs of version 7 that sort by time', () => {
  const ids = [1, 2, 1_795_280_400_000].map(newId);

  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(newId(5)).not.toBe(newId(5));
});

test('codes have 128 random bits, and none is given twice', () => {
  const codes = Array.from({ length: 1_000 }, newCode);

  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(codes.map((code) => code.slice(0, 16))).size).toBe(codes.length);
  expect(new Set(codes.map((code) => code.slice(16))).size).toBe(codes.length);
});
