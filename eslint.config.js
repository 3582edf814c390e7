// Whether what browsers load is written in what the oldest supported ones know, and nothing else: all else is Biome's.
import esx from 'eslint-plugin-es-x';
import { browserFeatures } from './scripts/lint/browser-features.ts';
import { withoutTypes } from './views/assets.ts';

export default [
  { files: ['views/assets/**/*.js', 'src/*/shared/*.{js,ts}', 'src/*/display/shared/*.js'] },
  {
    files: ['src/*/shared/*.ts'],
    // As they are served.
    processor: { preprocess: (text) => [withoutTypes(text)], postprocess: ([messages]) => messages },
  },
  {
    plugins: { 'es-x': esx, browsers: { rules: { features: browserFeatures } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...esx.configs['flat/restrict-to-es2021'].rules,
      // Of ES2022, and older than all of them.
      'es-x/no-class-instance-fields': 'off',
      'es-x/no-class-private-fields': 'off',
      'es-x/no-class-private-methods': 'off',
      // Of ES2018, and in Safari since 16.4: before, the whole module fails.
      'es-x/no-regexp-lookbehind-assertions': 'error',
      'browsers/features': ['error', { own: ['retry', 'run', 'tag', 'take'] }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="FormData"][arguments.length>1]',
          message: 'Older browsers leave the button out: use formFields() of base/request.js',
        },
      ],
    },
  },
];
