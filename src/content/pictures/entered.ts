import { badField } from '#kernel/http/errors.ts';

export const ALT_AT_MOST = 200;

/**
 * The words in place of a picture.
 * @param path the field they were entered in
 * @throws 400 when there are none and the picture is no decoration, or too many
 */
export function readAlt(text: string, decorative: boolean, path: string): string {
  if (decorative) return '';
  const alt = text.replace(/\s+/g, ' ').trim();
  if (alt === '') throw badField(path, 'say what the picture shows, or that it is only decoration');
  if (alt.length > ALT_AT_MOST) throw badField(path, `must have at most ${ALT_AT_MOST} characters`);
  return alt;
}
