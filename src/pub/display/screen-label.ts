import { z } from 'zod';
import { REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { cleanName, isVisible } from '#kernel/names.ts';

/** A short untrusted text: without control characters, with single spaces, cut at `max`. */
export const label = (max: number) =>
  z.string(REQUIRED_TEXT).transform((text) =>
    (isVisible(text) ? cleanName(text) : '')
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, max),
  );

/** The name that a screen gives itself. */
export const screenLabel = label(40);
