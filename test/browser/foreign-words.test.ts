import { expect, it } from 'vitest';
import { foreignIn, foreignTo } from './foreign-words.ts';

it.each([
  ['de', 'Ihre Stimme ist aufgenommen', false],
  ['de', 'Your vote has been recorded', true],
  ['de', 'Ende: Sat, Nov 21, 7 PM', true],
  ['de', 'Ende: Sa., 21. Nov., 19:00', false],
  ['de', 'Neue Lampen: Carried', true],
  ['de', 'Quiz night, mit Ann', false],
  ['de', 'https://club.example/the/vote und mail.from_email, the@club.example, AND-THE-OF', false],
  ['de', 'Ende in 10 Min..', true],
  ['de', 'Film „Quiz“', false],
  ['de', 'Film “Quiz”', true],
  ['fr', 'Votre vote est enregistré', false],
  ['fr', 'Votre vote : Ihre Stimme ist aufgenommen', true],
  ['fr', 'Your vote', true],
  ['en', 'Your vote has been recorded', false],
])('for readers of %s, “%s” holds something foreign: %s', (reader, text, isForeign) => {
  const known = new Set(['quiz', 'night', 'ann']);
  expect(foreignIn([text], foreignTo(reader, 'de'), known).length > 0).toBe(isForeign);
});
