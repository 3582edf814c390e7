/** An id as links carry it: lower case, everything outside a-z and 0-9 removed. May become empty. */
export function normalizeId(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A page's id as the workspace itself spells it, with dashes. */
export function originalId(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Where an image of a page is served; `edited` is the page's last edit, so that a new image has a new address. */
export function imageUrl(kind: ImageKind, pageId: string, edited: string): string {
  return `/api/image/${kind}/${pageId}?v=${normalizeId(edited)}`;
}

export const IMAGE_KINDS = ['announcement', 'event', 'tender', 'tender-qr'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];
