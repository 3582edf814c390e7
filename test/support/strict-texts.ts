// A text that is written before its reader is known is a fault, which only other languages would show.
import { beStrict } from '#kernel/language/words.ts';

beStrict();
