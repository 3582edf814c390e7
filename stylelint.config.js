// Whether the oldest supported browsers know what the style sheets use: all else is Biome's. What @supports asks for is
// allowed.
import { newFunctions, newKeywords } from './scripts/lint/browser-styles.ts';

/** Without these a page is less fine, and as useful: each is named as MDN's compatibility data name it. */
const ENHANCEMENTS = [
  // Lines break, bars look and text stands as they do by default.
  ...[
    'text-wrap',
    'scrollbar-width',
    'overscroll-behavior-inline',
    'overflow-anchor',
    'resize',
    'accent-color',
  ],
  // Only together with a scroll timeline, which is asked for by @supports.
  ...['property', 'property.syntax', 'property.inherits', 'property.initial-value'],
  // Paper has the margins and the size that the browser gives it, and what is folded stays folded.
  ...['page', 'page.size', 'details-content', 'content-visibility'],
];

/** Those that stand there twice, with and without the prefix of older browsers. */
const PREFIXED = [
  ...['mask-image', 'user-select', 'text-size-adjust', 'print-color-adjust', 'box-orient', 'line-clamp'],
  ...['-webkit-progress-bar', '-webkit-progress-value', '-moz-progress-bar'],
];

/** @param {string} name */
const ids = (name) => [`properties.${name}`, `at-rules.${name}`, `selectors.${name}`];

export default {
  plugins: ['stylelint-browser-compat'],
  reportNeedlessDisables: true,
  reportDescriptionlessDisables: true,
  rules: {
    'plugin/browser-compat': [
      true,
      {
        allow: {
          features: [...ENHANCEMENTS, ...PREFIXED].flatMap(ids),
          flagged: false,
          partialImplementation: true,
          prefix: false,
        },
      },
    ],
    // Biome would forbid a value for older browsers before the one for all others.
    'declaration-block-no-duplicate-properties': [
      true,
      { ignore: ['consecutive-duplicates-with-different-values'] },
    ],
    // What the plugin does not look at.
    'max-nesting-depth': [0, { ignoreAtRules: ['media', 'supports'] }],
    'function-disallowed-list': newFunctions(),
    'declaration-property-value-disallowed-list': {
      ...newKeywords(),
      content: ['/" \\/ "/'],
      // Tablets have no cursor, and on paper a heading may stand alone.
      cursor: [],
      'break-after': [],
    },
  },
};
