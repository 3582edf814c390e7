import { expect, test } from 'vitest';
import { html } from '#kernel/html.ts';
import { AREAS, isText } from '#kernel/language/catalogues.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { t } from '#views/assets/base/texts.js';
import { joinedModules } from '#views/joined-modules.ts';
import { MODULES, modules } from '#views/modules.ts';

/** The texts that a page with these modules carries, by key. */
function textsOf(markup: ReturnType<typeof joinedModules>): Record<string, unknown> {
  const page = html`${markup}`.for(ENGLISH);
  return JSON.parse(/<script type="application\/json" id="texts">([^<]*)<\/script>/.exec(page)?.[1] ?? '{}');
}

test('a page carries the texts of its modules and of what they import, and no others', () => {
  const cast = textsOf(joinedModules(['voting/cast.js']));
  expect(cast).toHaveProperty(['voting.cast.button_sending'], 'Sending …');
  expect(cast).not.toHaveProperty(['common.copy.copied']);
  expect(textsOf(modules(['voting/cast.js', 'base/copy.js']))).toMatchObject({
    ...cast,
    'common.copy.copied': 'Copied',
  });
  expect(joinedModules(['base/tap-guard.js'])?.for(ENGLISH)).not.toContain('id="texts"');
});

test('every text that a module names exists', () => {
  const keys = [...MODULES.values()].flatMap((source) =>
    [...source.matchAll(new RegExp(`'((?:${Object.keys(AREAS).join('|')})\\.\\w+\\.[\\w.]+)'`, 'g'))].map(
      ([, key]) => key!,
    ),
  );
  expect(keys).toContain('voting.cast.busy');
  expect(keys.filter((key) => !isText(key) && !key.endsWith('.js'))).toEqual([]);
});

test('a module writes a text as pages do, without tags', () => {
  expect(t('voting.cast.busy', { seconds: 1 })).toMatch(/it tries again in a second\.$/);
  expect(t('voting.cast.busy', { seconds: 1_200 })).toMatch(/it tries again in 1,200 seconds\.$/);
});
