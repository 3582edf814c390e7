import net from 'node:net';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/writes.ts';
import type { CheckedToken } from './tokens.ts';

interface Access {
  token_id: string;
  subscriber_id: string;
  at: number;
  userAgent: string;
  client: string;
}

const GATHERED_FOR = 1 * SECOND;
/** Entries that are written at once even when no second has passed. */
const ENOUGH = 2_000;

/**
 * Who read the feed. Entries are written a second behind the answers, many in one transaction: a feed never waits
 * for the disk, and a crash loses a second of the log and nothing else.
 */
export class AccessLog {
  readonly #ctx: Context;
  #waiting: Access[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Notes one answered request; what is stored of it is neither the token nor the whole address. */
  note({ id, subscriberId }: CheckedToken, userAgent: string, client: string): void {
    this.#waiting.push({ token_id: id, subscriber_id: subscriberId, at: this.#ctx.now(), userAgent, client });
    if (this.#waiting.length >= ENOUGH) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), GATHERED_FOR).unref();
  }

  /** Writes what is waiting. What cannot be written is dropped: a full disk must not fill the memory too. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#waiting;
    this.#waiting = [];
    if (entries.length > 0) {
      this.#writing = this.#ctx
        .write((tx) => store(tx, entries))
        .catch((err: unknown) => {
          this.#ctx.log.error({ err, entries: entries.length }, 'the access log could not be written');
        });
    }
    return this.#writing;
  }
}

function store(tx: Tx, entries: Access[]): void {
  const last = new Map<string, { at: number; client: string }>();
  for (const { token_id, subscriber_id, at, userAgent, client: address } of entries) {
    const client = familyOf(userAgent);
    tx.run(insertAccess(token_id, at, client, networkOf(address)));
    last.set(subscriber_id, { at, client });
  }
  for (const [id, { at, client }] of last) tx.run(updateReader(id, at, client));
}

const insertAccess = prepare(
  build.insertInto('feed_accesses').values({ calendar_id: '', token_id: '', at: 0, client: '', address: '' }),
  (token_id: string, at: number, client: string, address: string) => [
    'programs',
    token_id,
    at,
    client,
    address,
  ],
);

const updateReader = prepare(
  build.updateTable('subscribers').set({ last_access_at: 0, client: '' }).where('id', '=', ''),
  (id: string, at: number, client: string) => [at, client, id],
);

/** Calendar programs by what they say of themselves; the first that fits. */
const FAMILIES: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['google', /google/i],
  ['outlook', /outlook|exchange|microsoft|office/i],
  ['thunderbird', /thunderbird|lightning/i],
  ['nextcloud', /nextcloud/i],
  ['android', /icsx5|davx5|android(?!.*mozilla)/i],
  ['browser', /^mozilla\//i],
  ['apple', /dataaccessd|calendaragent|\bical\/|^(?:ios|ipados|macos|mac os x|mac\+os\+x|mac_os_x)\b/i],
];

/** The family of a user agent; `other` for what is not known, also an empty one. */
export function familyOf(userAgent: string): string {
  return FAMILIES.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
}

/** The network of an address, /24 or /48: enough to see how many places, too little to see which. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (net.isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  const [plain = ''] = address.split('%');
  if (!net.isIPv6(plain)) return 'unknown';
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const groups =
    after === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return `${groups.slice(0, 3).join(':')}::/48`;
}
