import { expect, test } from 'vitest';
import { accentOf, contrast, PAPER } from '#kernel/settings/colours.ts';

test.each(['#0000ff', '#ffff00', '#ff0000', '#00ffff', '#c71585', '#808080', '#000000', '#ffffff'])(
  'the shades of %s have enough contrast on the background of each theme',
  (chosen) => {
    const { accent, accent_light, accent_dark } = accentOf(chosen);

    expect(accent).toBe(chosen);
    expect(contrast(accent_light, PAPER.light)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accent_dark, PAPER.dark)).toBeGreaterThanOrEqual(4.5);
    // No darker or lighter than necessary.
    if (accent_light !== chosen) expect(contrast(accent_light, PAPER.light)).toBeLessThan(5.2);
    if (accent_dark !== chosen) expect(contrast(accent_dark, PAPER.dark)).toBeLessThan(5.5);
  },
);
