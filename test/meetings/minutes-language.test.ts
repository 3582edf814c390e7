import { afterEach, expect, it } from 'vitest';
import { t } from '#kernel/language/message.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { clubReader, setClubReader } from '#kernel/locale.ts';
import { minutesArticle } from '#views/meetings/minutes/article.ts';
import { writtenBlocks } from '#views/meetings/minutes/draft.ts';
import { minutesMarkdown } from '#views/meetings/minutes/markdown.ts';

const AT = Date.parse('2026-11-21T19:05:00Z');
const before = clubReader();
afterEach(() => setClubReader(before));

it('minutes are in the way of the club, whoever reads the page around them', () => {
  setClubReader({ language: 'en', locale: 'de-DE' });
  const when = formatWhen(AT, 'Europe/Berlin');
  const blocks = writtenBlocks([
    { is: 'heading', text: t('meetings.minutes.agenda') },
    { is: 'facts', rows: [[t('meetings.minutes.begin'), when]] },
    { is: 'list', items: [t('meetings.minutes.added', { items: 'Lamps' })], numbers: ['2a'] },
  ]);
  const ofClub = when.for(clubReader());
  expect(ofClub).toContain('20:05');
  expect(blocks).toEqual([
    { is: 'heading', text: 'Agenda' },
    { is: 'facts', rows: [['Begin', ofClub]] },
    { is: 'list', items: ['Added after the invitation: Lamps.'], numbers: ['2a'] },
  ]);
  const signed = [{ as: 'chair' as const, name: 'Ann', when }];
  const reader = { language: 'en', locale: 'en-US' };
  const article = minutesArticle(blocks, signed).for(reader);
  expect(article).toContain(`Signed by Ann on ${ofClub}`);
  expect(article).not.toContain('8:05 PM');
  expect(minutesMarkdown(blocks, signed)).toContain('Chair: Signed by Ann on ');
});
