/** The boxes, in pixels, that a logo is scaled to fit; `square` pictures are padded with transparency. */
export const LOGO_SIZES = {
  head: { width: 360, height: 68, square: false },
  screen: { width: 960, height: 180, square: false },
  slide: { width: 1280, height: 960, square: false },
  mail: { width: 400, height: 80, square: false },
  icon: { width: 96, height: 96, square: true },
  touch: { width: 180, height: 180, square: true },
} as const;

export type LogoSize = keyof typeof LOGO_SIZES;

/** The address of the club's logo; its content never changes, because a new logo has a new id. */
export const logoAddress = (id: string, size: LogoSize): string => `/assets/logo/${id}-${size}.png`;
