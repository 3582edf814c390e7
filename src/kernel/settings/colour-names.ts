import { DEFAULT_ACCENT, distance } from './colours.ts';

/** CSS colour names (CSS Color 3, 4.3) that differ clearly from each other, without those that are nearly white. */
const NAMES =
  `black 000000, dimgray 696969, gray 808080, silver c0c0c0, darkslategray 2f4f4f, slategray 708090,
maroon 800000, darkred 8b0000, brown a52a2a, firebrick b22222, crimson dc143c, red ff0000, indianred cd5c5c,
lightcoral f08080, tomato ff6347, coral ff7f50, orangered ff4500, darkorange ff8c00, orange ffa500, gold ffd700,
goldenrod daa520, darkgoldenrod b8860b, peru cd853f, sienna a0522d, saddlebrown 8b4513, chocolate d2691e, tan d2b48c,
khaki f0e68c, darkkhaki bdb76b, yellow ffff00, olive 808000, olivedrab 6b8e23, yellowgreen 9acd32,
darkolivegreen 556b2f, lawngreen 7cfc00, lime 00ff00, limegreen 32cd32, lightgreen 90ee90, forestgreen 228b22,
green 008000, darkgreen 006400, seagreen 2e8b57, mediumseagreen 3cb371, springgreen 00ff7f, lightseagreen 20b2aa,
teal 008080, darkcyan 008b8b, darkturquoise 00ced1, turquoise 40e0d0, cyan 00ffff, cadetblue 5f9ea0, skyblue 87ceeb,
deepskyblue 00bfff, dodgerblue 1e90ff, cornflowerblue 6495ed, steelblue 4682b4, royalblue 4169e1, blue 0000ff,
mediumblue 0000cd, darkblue 00008b, navy 000080, midnightblue 191970, darkslateblue 483d8b, slateblue 6a5acd,
mediumpurple 9370db, rebeccapurple 663399, blueviolet 8a2be2, indigo 4b0082, darkviolet 9400d3, purple 800080,
darkmagenta 8b008b, mediumorchid ba55d3, orchid da70d6, plum dda0dd, violet ee82ee, magenta ff00ff,
mediumvioletred c71585, deeppink ff1493, hotpink ff69b4, palevioletred db7093, pink ffc0cb, salmon fa8072, white ffffff`
    .split(/,\s/)
    .map((entry) => entry.split(' ') as [name: string, digits: string]);

/** The nearest CSS colour name, for formats that accept only names (RFC 7986, 5.9). @param colour `#rrggbb` */
export function nearestName(colour: string): string {
  if (colour === DEFAULT_ACCENT.light) return 'darkgreen';
  const nearest = NAMES.map(([name, digits]) => ({ name, away: distance(colour, `#${digits}`) }));
  return nearest.reduce((best, one) => (one.away < best.away ? one : best)).name;
}
