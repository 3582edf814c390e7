import { expect, test } from 'vitest';
import { pointIn } from '#kernel/settings/inputs.ts';

test.each([
  ['48.2082, 16.3738', ['48.2082', '16.3738']],
  ['48.2082,16.3738', ['48.2082', '16.3738']],
  ['48,2082 16,3738', ['48,2082', '16,3738']],
  ['48,2082; 16,3738', ['48,2082', '16,3738']],
  ['48.2082° N, 16.3738° E', ['48.2082', '16.3738']],
  ['33.87 S, 151.21 E', ['-33.87', '151.21']],
  ['-33.87 -151.21', ['-33.87', '-151.21']],
  ['48, 16', ['48', '16']],
  ['48,21', undefined],
  ['48.21', undefined],
  ['', undefined],
  ['Vienna, Austria', undefined],
])('%j pasted from a map is %j', (text, point) => {
  expect(pointIn(text)).toEqual(point);
});
