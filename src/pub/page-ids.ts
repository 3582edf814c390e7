/** Normalizes an id for links: lower case, only a-z and 0-9. The result may be empty. */
export function normalizeId(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Returns a page's id as the workspace itself spells it, with dashes. */
export function originalId(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The address of a page's image; `edited` is the page's last edit, so that a new image has a new address. */
export function imageUrl(kind: ImageKind, pageId: string, edited: string): string {
  return `/api/image/${kind}/${pageId}?v=${normalizeId(edited)}`;
}

export const IMAGE_KINDS = ['announcement', 'event', 'menu', 'screen', 'tender', 'tender-qr'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];
