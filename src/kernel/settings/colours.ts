import type { BoardLook } from './menu.ts';

/** Colours as CSS writes them: `#rrggbb`, lower case. */
type Hex = string;

/** The paper of each theme. */
export const PAPER = { light: '#faf7f1', dark: '#14130f' } as const;
/** The backgrounds of text in the accent colour, in each theme: paper, cards, wells. */
const GROUNDS = {
  light: [PAPER.light, '#fffdf9', '#f1ebdf'],
  dark: [PAPER.dark, '#1c1a15', '#25221b'],
} as const;
/** The accents of a club that chose none. */
export const DEFAULT_ACCENT = { light: '#1f4d3a', dark: '#7cc3a1' } as const;

/** The contrast that WCAG 2 (1.4.3) requires for text of any size. */
const LEAST_CONTRAST = 4.5;
/** The same for text that is read from the other end of a room (1.4.6). */
const ENHANCED_CONTRAST = 7;
/** What boards of the list are written on, in each look; the dark one is lighter in a corner. */
const BOARDS: Readonly<Record<BoardLook, Hex>> = { dark: '#1d241d', light: PAPER.light, chalk: '#202b27' };
/** Step between the lightness values that are tried, on a scale from 0 to 1. */
const STEP = 0.002;

export interface Accent {
  /** As it was chosen. */
  accent: Hex;
  accent_light: Hex;
  accent_dark: Hex;
}

/** The chosen colour, and the shade of it that each theme uses. */
export function accentOf(chosen: Hex | null): Accent {
  if (chosen === null || chosen === DEFAULT_ACCENT.light)
    return {
      accent: DEFAULT_ACCENT.light,
      accent_light: DEFAULT_ACCENT.light,
      accent_dark: DEFAULT_ACCENT.dark,
    };
  return {
    accent: chosen,
    accent_light: shadeOn(GROUNDS.light, chosen),
    accent_dark: shadeOn(GROUNDS.dark, chosen),
  };
}

/**
 * The nearest shade of a colour with a contrast of 4.5:1, or `least`, on all of these backgrounds: the same hue in OKLCH, another
 * lightness, and as much of its chroma as sRGB has there. Every hue has one: towards black on light backgrounds,
 * towards white on dark ones.
 */
export function shadeOn(grounds: readonly Hex[], colour: Hex, least = LEAST_CONTRAST): Hex {
  const isReadable = (shade: Hex) => grounds.every((ground) => contrast(shade, ground) >= least);
  if (isReadable(colour)) return colour;
  const { lightness, chroma, hue } = toOklch(colour);
  const direction = grounds.every((ground) => luminance(ground) > 0.18) ? -STEP : STEP;
  for (let tried = lightness + direction; tried > 0 && tried < 1; tried += direction) {
    const shade = fromOklch({ lightness: tried, chroma, hue });
    if (isReadable(shade)) return shade;
  }
  return direction < 0 ? '#000000' : '#ffffff';
}

/** The shade of the club's colour in which a board has its headings; null: that of the look, for a club that chose none. */
export const boardAccent = (look: BoardLook, chosen: Hex | null): Hex | null =>
  chosen === null || chosen === DEFAULT_ACCENT.light
    ? null
    : shadeOn([BOARDS[look]], chosen, ENHANCED_CONTRAST);

/** A shade of the same hue that is lighter by `by`, or darker if negative; lightness is from 0 to 1. */
export function lighter(colour: Hex, by: number): Hex {
  const { lightness, chroma, hue } = toOklch(colour);
  return fromOklch({ lightness: Math.min(1, Math.max(0, lightness + by)), chroma, hue });
}

/** A background slightly tinted with the accent: as light as the wells of its theme, so that the accent is readable. */
export function tintOf(accent: Hex, paper: Hex): Hex {
  const [, , well] = paper === PAPER.light ? GROUNDS.light : GROUNDS.dark;
  const { chroma, hue } = toOklch(accent);
  return fromOklch({ lightness: toOklch(well).lightness, chroma: Math.min(chroma, 0.025), hue });
}

/** The distance of two colours, 0 to about 1: in OKLab with a third of the lightness, so that hue counts more. */
export function distance(one: Hex, other: Hex): number {
  const [a, b] = [toOklch(one), toOklch(other)];
  const across = a.chroma ** 2 + b.chroma ** 2 - 2 * a.chroma * b.chroma * Math.cos(a.hue - b.hue);
  return Math.sqrt(((a.lightness - b.lightness) / 3) ** 2 + Math.max(0, across));
}

/** WCAG 2, contrast ratio: 1 to 21. */
export function contrast(one: Hex, other: Hex): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2, relative luminance: 0 to 1. */
function luminance(colour: Hex): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue, each 0 to 1. */
const channels = (colour: Hex): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);

const toHex = (rgb: readonly number[]): Hex =>
  `#${rgb
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** IEC 61966-2-1. */
const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

interface Oklch {
  /** 0 to 1. */
  lightness: number;
  chroma: number;
  /** In radians. */
  hue: number;
}

/** Björn Ottosson, "A perceptual color space for image processing" (2020), the matrices from linear sRGB. */
function toOklch(colour: Hex): Oklch {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(toLinear);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/** The colour, or if sRGB lacks it the one of the same lightness and hue with the most chroma that sRGB has. */
function fromOklch({ lightness, chroma, hue }: Oklch): Hex {
  const at = (share: number) =>
    toRgb(lightness, chroma * share * Math.cos(hue), chroma * share * Math.sin(hue));
  let [least, most] = [0, 1];
  if (!isInGamut(at(most))) {
    for (let round = 0; round < 16; round += 1) {
      const middle = (least + most) / 2;
      if (isInGamut(at(middle))) least = middle;
      else most = middle;
    }
  } else least = most;
  return toHex(at(least).map((value) => fromLinear(Math.min(1, Math.max(0, value)))));
}

function toRgb(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const isInGamut = (rgb: readonly number[]) => rgb.every((value) => value >= -1e-6 && value <= 1 + 1e-6);
