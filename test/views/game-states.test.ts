import { expect, it } from 'vitest';
import { html } from '#kernel/html.ts';
import { readerIn } from '#kernel/language/readers.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { stateWords } from '#views/pub/games.ts';

it.each([
  ['hockey', 'Final', 'Endstand'],
  ['hockey', 'Final/OT', 'Endstand nach Verlängerung'],
  ['hockey', '4:15 - 3rd', '4:15, 3. Drittel'],
  ['hockey', 'End of 1st', 'Ende des 1. Drittels'],
  ['football', 'Halftime', 'Halbzeitpause'],
  ['football', '9:03 - 2nd', '9:03, 2. Viertel'],
  ['basketball', '41.5 - 4th', '41.5, 4. Abschnitt'],
  ['baseball', 'Rain Delay', 'Regenpause'],
  ['baseball', 'Top 5th', 'Erste Hälfte des 5. Innings'],
  ['baseball', 'End 5th', 'Ende des 5. Innings'],
  ['soccer', 'HT', 'Halbzeitpause'],
  ['soccer', 'FT-Pens', 'Nach Elfmeterschießen'],
  ['soccer', "90'+8'", '90&#39;+8&#39;'],
  ['soccer', 'Postponed', 'Verschoben'],
  ['curling', 'Lost in the <fog>', '<span lang="en">Lost in the &lt;fog&gt;</span>'],
  ['toString', 'constructor', '<span lang="en">constructor</span>'],
])('a German club reads the state of a game of %s in German: %s', (sport, detail, german) => {
  expect(html`${stateWords({ sport, detail })}`.for(readerIn('de'))).toBe(german);
});

it.each(['Final', 'Final/SO', '4:15 - 3rd', 'End of 2nd', 'Top 9th', 'Halftime', 'Postponed', "69'"])(
  'an English reader reads %s as the source writes it',
  (detail) => {
    const words = stateWords({ sport: 'hockey', detail });
    expect(typeof words === 'string' ? words : words.for(ENGLISH)).toBe(detail);
  },
);
