import { oncePerObject } from '#kernel/cache.ts';
import { type Accent, DEFAULT_ACCENT, lighter, PAPER, shadeOn, tintOf } from '#kernel/settings/colours.ts';
import { asset } from './assets.ts';

/** The text colour of the dark screens, also used on the deep accent. */
const TV_INK = '#ece6d9';

/** The address of the style sheet with the club's accent, which is part of it; undefined for the default accent. */
export function themeAddress({ accent_light, accent_dark }: Accent): string | undefined {
  if (accent_light === DEFAULT_ACCENT.light && accent_dark === DEFAULT_ACCENT.dark) return undefined;
  return `/assets/theme/${accent_light.slice(1)}-${accent_dark.slice(1)}.css`;
}

/** The style sheet that overrides colours of base/tokens.css and tv/styles/tv.css. @param name its file name */
export function themeSheet(name: string): string | undefined {
  const [, light, dark] = /^([0-9a-f]{6})-([0-9a-f]{6})\.css$/.exec(name) ?? [];
  if (!light || !dark) return undefined;
  const ofLight = properties(`#${light}`, PAPER.light, -0.07);
  const ofDark = properties(`#${dark}`, PAPER.dark, 0.07);
  const deep = `--green-deep: ${shadeOn([TV_INK], `#${dark}`)};`;
  return `:root { ${ofLight} }
@media screen and (prefers-color-scheme: dark) { :root { ${ofDark} } }
.tv { ${ofDark} ${deep} }
`;
}

function properties(accent: string, paper: string, step: number): string {
  const strong = lighter(accent, step);
  return `--green: ${accent}; --green-strong: ${strong}; --green-tint: ${tintOf(accent, paper)};`;
}

/** The address of the icon of a club without a logo: a tick on its accent. */
export const iconAddress = ({ accent_light }: Accent): string =>
  accent_light === DEFAULT_ACCENT.light
    ? asset('base/icon.svg')
    : `/assets/icon/${accent_light.slice(1)}.svg`;

/** The icon as a part of the page. */
export const iconData = oncePerObject(
  ({ accent_light }: Accent): string =>
    `data:image/svg+xml,${iconPicture(`${accent_light.slice(1)}.svg`)?.replace(/["#<>]/g, encodeURIComponent)}`,
);

/** The icon as an SVG; undefined where the name is not valid. @param name its file name */
export function iconPicture(name: string): string | undefined {
  const [, colour] = /^([0-9a-f]{6})\.svg$/.exec(name) ?? [];
  return (
    colour &&
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#${colour}"/><path d="M8.5 16.5l5 5L23.5 10.5" fill="none" stroke="#faf7f1" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}
