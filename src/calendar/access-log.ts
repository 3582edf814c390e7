import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import { networkOf } from '#kernel/http/client.ts';
import type { CheckedToken } from './subscriptions/tokens.ts';

interface Access {
  token_id: string;
  at: number;
  client: string;
  address: string;
}

// Few programs and networks make most requests, so each is parsed once.
const BY_USER_AGENT = kept<string>();
const BY_ADDRESS = kept<string>();

const GATHERED_FOR = 10 * SECOND;
/** Entries per transaction: while it runs, the process does nothing else. */
const AT_ONCE = 500;

/**
 * Logs who read the feed. Entries are written up to ten seconds after the answers, many in one transaction: a feed
 * never waits for the disk, and a crash loses only ten seconds of the log.
 */
export class AccessLog {
  readonly #ctx: Context;
  #waiting: Access[] = [];
  /** The last read of each subscriber. */
  #readers = new Map<string, Access>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Records one answered request, without the token and the full address. */
  note({ id, subscriberId }: CheckedToken, userAgent: string, client: string): void {
    const { cache, now } = this.#ctx;
    const access = {
      token_id: id,
      at: now(),
      client: cache.get(BY_USER_AGENT, userAgent, () => familyOf(userAgent)),
      address: cache.get(BY_ADDRESS, client, () => networkOf(client)),
    };
    this.#waiting.push(access);
    this.#readers.set(subscriberId, access);
    this.#timer ??= setTimeout(() => void this.flush(), GATHERED_FOR).unref();
  }

  /** Writes the pending entries. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [entries, readers] = [this.#waiting, this.#readers];
    this.#waiting = [];
    this.#readers = new Map();
    this.#writing = this.#writing.then(() => this.#write(entries, [...readers]));
    return this.#writing;
  }

  /** Entries that cannot be written are dropped: a full disk must not fill the memory too. */
  async #write(entries: Access[], readers: [id: string, last: Access][]): Promise<void> {
    try {
      for (let from = 0; from < Math.max(entries.length, readers.length); from += AT_ONCE) {
        const until = from + AT_ONCE;
        await this.#ctx.write((tx) => store(tx, entries.slice(from, until), readers.slice(from, until)));
      }
    } catch (err) {
      this.#ctx.log.error({ err, entries: entries.length }, 'the access log could not be written');
    }
  }
}

function store(tx: Tx, entries: Access[], readers: [id: string, last: Access][]): void {
  for (const entry of entries) tx.run(insertAccess(entry));
  for (const [id, { at, client }] of readers) tx.run(updateReader({ id, at, client }));
}

const insertAccess = prepare((p: Access) =>
  build.insertInto('feed_accesses').values({
    calendar_id: 'programs',
    token_id: p.token_id,
    at: p.at,
    client: p.client,
    address: p.address,
  }),
);

const updateReader = prepare((p: { id: string; at: number; client: string }) =>
  build.updateTable('subscribers').set({ last_access_at: p.at, client: p.client }).where('id', '=', p.id),
);

/** Calendar programs by patterns of their user agents; the first match counts. */
const FAMILIES: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['google', /google/i],
  ['outlook', /outlook|exchange|microsoft|office/i],
  ['thunderbird', /thunderbird|lightning/i],
  ['nextcloud', /nextcloud/i],
  ['android', /icsx5|davx5|android(?!.*mozilla)/i],
  ['browser', /^mozilla\//i],
  ['apple', /dataaccessd|calendaragent|\bical\/|^(?:ios|ipados|macos|mac os x|mac\+os\+x|mac_os_x)\b/i],
];

/** Returns the family of a user agent; `other` for an unknown or empty one. */
function familyOf(userAgent: string): string {
  return FAMILIES.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
}
