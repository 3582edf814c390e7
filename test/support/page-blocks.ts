// Takes the texts of a page apart, as far as its reader sees or hears them.

/** Elements that stand within a sentence. */
const INLINE = new Set(
  'a abbr b bdi bdo cite data dfn em i kbd mark q s samp small span strong sub sup time u wbr'.split(' '),
);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Elements whose content nobody translates, or is no text. */
const LEFT_OUT = new Set('code pre script style textarea template noscript'.split(' '));
const ATTRIBUTES =
  /\s(aria-label|aria-description|aria-roledescription|alt|placeholder|title|data-\w*(?:label|text|said|words)\w*)="([^"]*)"/g;
const META =
  /^meta\s.*(?:name="description"|property="og:[^"]*(?:title|description|alt)").*content="([^"]*)"/s;

const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', '’')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u00ad]+/g, (gap) => (gap.includes('\u00ad') ? '' : ' '))
    .trim();

/**
 * The texts of a page: of each block without those of the blocks inside it, of attributes that are read out, and of what
 * other sites show of it. What is marked as another language, or as not to be translated, is left out.
 * @param language of the page
 */
export function blocksOf(page: string, language: string): string[] {
  const found: string[] = [];
  const open: { name: string; isLeftOut: boolean }[] = [];
  let text = '';
  const isLeftOut = () => open.some((one) => one.isLeftOut);
  const end = () => {
    found.push(unescaped(text));
    text = '';
  };
  for (const [, comment, tag, plain] of page.matchAll(
    /(<!--.*?-->|<!doctype[^>]*>)|<([^>"]*(?:"[^"]*"[^>"]*)*)>|([^<]+)/gis,
  )) {
    if (comment !== undefined) continue;
    if (plain !== undefined) {
      if (!isLeftOut()) text += plain;
      continue;
    }
    const [, slash, name = ''] = /^(\/?)\s*([a-z0-9-]*)/i.exec(tag ?? '') ?? [];
    const element = name.toLowerCase();
    if (!INLINE.has(element)) end();
    if (slash) {
      const at = open.findLastIndex((one) => one.name === element);
      if (at !== -1) open.length = at;
      continue;
    }
    const own = / lang="([^"]*)"/.exec(tag ?? '')?.[1];
    const isOther = own !== undefined && own !== '' && !own.startsWith(language);
    const leaves = LEFT_OUT.has(element) || isOther || / translate="no"/.test(tag ?? '');
    if (!isLeftOut() && !leaves) {
      for (const [, , value = ''] of (tag ?? '').matchAll(ATTRIBUTES)) found.push(unescaped(value));
      const [, meta] = META.exec(tag ?? '') ?? [];
      if (meta !== undefined) found.push(unescaped(meta));
    }
    if (!VOID.has(element) && !/\/\s*$/.test(tag ?? '')) open.push({ name: element, isLeftOut: leaves });
  }
  end();
  return found.filter((one) => /\p{L}{2}/u.test(one));
}
