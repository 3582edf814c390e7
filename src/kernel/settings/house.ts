import { line, secretLine, tick } from './inputs.ts';
import type { Setting } from './setting.ts';

const SHOWN = { group: 'house', input: tick, usual: false } as const satisfies Setting<boolean>;

/** Where the house is and how guests come into its Wi-Fi; each is shown only where its tick says so. */
export const HOUSE_SETTINGS = {
  'house.address': { group: 'house', input: line(200), usual: null },
  /** How to get there. */
  'house.way': { group: 'house', input: line(300), usual: null },
  'house.wifi_name': { group: 'house', input: line(32), usual: null },
  /** On paired screens and on prints of staff alone. */
  'house.wifi_password': { group: 'house', input: secretLine(63), usual: null, isSecret: true },
  'house.show_address': SHOWN,
  'house.show_way': SHOWN,
  'house.show_wifi_name': SHOWN,
  'house.show_wifi_password': SHOWN,
} satisfies Record<string, Setting<unknown, unknown>>;

/** A network as pages and screens show it. */
export interface Wifi {
  name: string;
  /** Null for an open one, and where it is not to be shown. */
  password: string | null;
}

type HouseValues = { [Name in keyof typeof HOUSE_SETTINGS]: unknown };

/** What public pages show of the house: what is entered and ticked. Never the password. */
export function shownHouse(settings: HouseValues): {
  address: string | null;
  way: string | null;
  wifi: string | null;
} {
  const shown = (value: unknown, isShown: unknown) => (isShown === true ? (value as string | null) : null);
  return {
    address: shown(settings['house.address'], settings['house.show_address']),
    way: shown(settings['house.way'], settings['house.show_way']),
    wifi: shown(settings['house.wifi_name'], settings['house.show_wifi_name']),
  };
}

/** The network for paired screens and prints of staff; undefined unless name or password are ticked. */
export function wifiOf(settings: HouseValues): Wifi | undefined {
  const name = settings['house.wifi_name'] as string | null;
  const password = settings['house.wifi_password'] as string | null;
  const [showsName, showsPassword] = [settings['house.show_wifi_name'], settings['house.show_wifi_password']];
  if (name === null || (!showsName && !showsPassword)) return undefined;
  return { name, password: showsPassword ? password : null };
}

/** What a QR code says so that phones join; undefined while the network needs a password that is not to be shown. */
export function wifiCode(settings: HouseValues): string | undefined {
  const wifi = wifiOf(settings);
  if (wifi === undefined || (wifi.password === null && settings['house.wifi_password'] !== null))
    return undefined;
  const plain = (text: string) => text.replace(/[\\;,:"]/g, '\\$&');
  return wifi.password === null
    ? `WIFI:T:nopass;S:${plain(wifi.name)};;`
    : `WIFI:T:WPA;S:${plain(wifi.name)};P:${plain(wifi.password)};;`;
}
