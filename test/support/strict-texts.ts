// A text that is written before its reader is known is a fault, which only other languages would show.
import { findText } from '#kernel/language/catalogues.ts';
import { beStrict } from '#kernel/language/words.ts';
import { useTexts } from '#views/assets/base/texts.js';
import { addPseudoLanguage, PSEUDO } from './pseudo-language.ts';

beStrict();
if (process.env.TEST_LANGUAGE === PSEUDO) addPseudoLanguage();
// Browser modules that tests run here have no page that holds their texts.
useTexts(new Proxy({}, { get: (_texts, key) => findText('en', String(key)) }));
