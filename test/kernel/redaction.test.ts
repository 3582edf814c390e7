import { expect, test } from 'vitest';
import { loggedPath, withoutQueryValues } from '#kernel/log.ts';

test.each([
  ['/e/1/vote?t=secret&x=1', '/e/1/vote'],
  ['/vote/my-elections?email=secret@b.c&token=secret#v', '/vote/my-elections'],
  ['/e/1/vote%3Ft=secret', '/e/1/…'],
  ['/e/1/vote%253Ft%253Dsecret', '/e/1/…'],
  ['/e/1/vote;t=secret', '/e/1/…'],
  ['/e/1/vote&t=secret', '/e/1/…'],
  ['/people/secret@club.example', '/people/…'],
  ['/api/image/tender/0f-1.2_3~', '/api/image/tender/0f-1.2_3~'],
])('the URL %s is logged as %s', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});

test.each([
  [
    'Spam: https://club.example/e/1/vote?t=secret and more',
    'Spam: https://club.example/e/1/vote?t=… and more',
  ],
  ['/vote?x=1&amp;token=secret', '/vote?x=…'],
  ['/vote&amp;token=secret', '/vote&amp;token=…'],
  ['/vote?%74=secret', '/vote?%74=…'],
  ['/vote;t=secret', '/vote;t=…'],
  ['/vote?t[]=secret', '/vote?t[]=…'],
  ['/search?q=secret@club.example"', '/search?q=…"'],
  ['/vote%3Ft=secret', '/vote%3Ft=…'],
  ['/vote%253Ft%253Dsecret', '/vote%253Ft%253D…'],
  ['Is that so? a = b; c', 'Is that so? a = b; c'],
])('the text %s is logged as %s', (text, shown) => {
  expect(withoutQueryValues(text)).toBe(shown);
});
