// The drawing thread, see ShareImages.
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { onRequest, say } from '#kernel/thread-side.ts';
import { emojiIn, fontsFor, lastFont, pictureOf } from './share-fonts.ts';
import { type Drawn, SHARE_SIZE, type ShareChild, type ShareNode } from './share-image.ts';

onRequest(async (tree: ShareNode) => {
  try {
    say<Drawn>({ png: await draw(tree) });
  } catch (error) {
    say<Drawn>({ fault: String((error as Error).stack ?? error) });
  }
});

async function draw(tree: ShareNode): Promise<Uint8Array> {
  const texts: string[] = [];
  const clean = cleaned(tree, texts);
  const text = texts.join('\n');
  const svg = await satori(clean as Parameters<typeof satori>[0], {
    ...SHARE_SIZE,
    fonts: fontsFor(text),
    graphemeImages: emojiIn(text),
    loadAdditionalAsset: async (code, missing) =>
      (code === 'emoji' ? pictureOf(missing) : undefined) ?? [lastFont()],
  });
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}

/** Returns the tree with drawable texts: no control characters, no lone surrogates. Collects the texts in `texts`. */
function cleaned(child: ShareChild, texts: string[]): ShareChild {
  if (typeof child === 'string') {
    const text = child.toWellFormed().replace(/\p{Cc}+/gu, ' ');
    texts.push(text);
    return text;
  }
  if (!child) return child;
  const { children, ...props } = child.props;
  const list = children === undefined ? [] : [children].flat();
  return {
    type: child.type,
    props: { ...props, children: list.map((one) => cleaned(one as ShareChild, texts)) },
  };
}
