import { expect, test } from 'vitest';
import { rounded } from '#pub/setlist/rollups/surface.ts';

test.each([
  [0.5625, 0.563],
  [0.56249999999999989, 0.563],
  [0.562499, 0.562],
  [-0.00001, 0],
])('%d is rounded to %d despite floating-point errors', (value, expected) => {
  expect(rounded(value)).toBe(expected);
});
