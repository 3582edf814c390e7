import net, { type Server as Listener, type Socket } from 'node:net';
import os from 'node:os';
import type { Logger } from 'pino';
import { type Message, say, sentenceOf } from '#kernel/messages/messages.ts';
import type { Config } from './config.ts';
import { isOnThisMachine } from './environment/checks.ts';
import { KEYS_TO_GUESS, SHORTEST_KEY } from './environment/environment.ts';

/** What a machine has, as `os.networkInterfaces` returns it. */
export type ReadInterfaces = () => ReturnType<typeof os.networkInterfaces>;

/** An address of this machine that other devices of its network can use. */
export interface HouseAddress {
  address: string;
  /** The name of its interface, such as `wlan0`. */
  at: string;
}

/** An address as pages show it. */
export interface HouseWay extends HouseAddress {
  /** What a browser opens; undefined before the service listens anywhere. */
  url: string | undefined;
  isOpen: boolean;
  /** Why nothing listens there though it should, in words. */
  failed: Message | undefined;
}

/** Interfaces of machines that run inside this one, and of tunnels: other devices in the house rarely come by these. */
const VIRTUAL =
  /^(docker|br-|veth|virbr|vmnet|vboxnet|vethernet|cni|flannel|podman|tun|tap|utun|wg|zt|tailscale)/i;

function blockOf(...subnets: [address: string, bits: number][]): (address: string) => boolean {
  const block = new net.BlockList();
  const family = (address: string) => (net.isIPv6(address) ? 'ipv6' : 'ipv4');
  for (const [address, bits] of subnets) block.addSubnet(address, bits, family(address));
  return (address) => block.check(address, family(address));
}

/** Of one link alone: the IPv6 ones need the name of the interface, which no browser takes. */
const isLinkLocal = blockOf(['169.254.0.0', 16]);
const isLinkLocal6 = blockOf(['fe80::', 10]);
/** RFC 1918 and RFC 4193: not reachable from the Internet. */
const isPrivate = blockOf(['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['fc00::', 7]);

/** The order in which addresses are named; the first one is in links. */
function rankOf({ address, at }: HouseAddress): number {
  const kind = isLinkLocal(address) ? 4 : (net.isIPv6(address) ? 2 : 0) + (isPrivate(address) ? 0 : 1);
  return (VIRTUAL.test(at) ? 10 : 0) + kind;
}

/**
 * Lists the addresses of this machine that other devices of the house can use: IPv4 before IPv6, private ones first,
 * those of virtual interfaces last. Where there is a private one, public ones are left out: by those the Internet would
 * come in as well.
 */
export function listHouseAddresses(interfaces: ReturnType<ReadInterfaces>): HouseAddress[] {
  const all = Object.entries(interfaces).flatMap(([at, infos = []]) =>
    infos
      .filter(({ internal, address }) => !internal && !isLinkLocal6(address))
      .map(({ address }) => ({ address, at })),
  );
  const inHouse = all.filter(({ address }) => isPrivate(address));
  return (inHouse.length > 0 ? inHouse : all).sort((a, b) => rankOf(a) - rankOf(b));
}

/** How long a connection lives on after the house was shut out. */
const ANSWERED_WITHIN_MS = 2_000;

function endAll(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

const urlOf = (address: string, port: number): string =>
  `http://${net.isIPv6(address) ? `[${address}]` : address}:${port}`;

/** The name of a key that is too short for a service that others reach; undefined if none is. */
export const findShortKey = (config: Config): string | undefined =>
  KEYS_TO_GUESS.find((name) => config[name] !== undefined && config[name].length < SHORTEST_KEY);

/** Whether an owner has let the devices of the house in. HOST in the environment decides alone. */
const isLetIn = ({ settings, given }: Config): boolean => settings.house_network && !given.has('HOST');

/**
 * Whether other machines may reach the service by its own doing: in production, and once an owner has let the devices of
 * the house in. Then nothing that is allowed to this machine alone is open: no bypass of sign-in, no header of a peer that
 * is not listed, no device without a token, no upstream in the own network.
 */
export const servesOthers = (config: Config): boolean => config.NODE_ENV === 'production' || isLetIn(config);

/**
 * The second door of a service that listens on this computer only: while an owner lets the devices of the house in, it
 * listens at each address that this machine has in its network too, at the same port, and hands the connections to the
 * HTTP server. The addresses are looked at again by a job, because routers change them.
 */
export class HouseNetwork {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #interfaces: ReadInterfaces;
  readonly #changed: () => void;
  readonly #open = new Map<string, { listener: Listener; sockets: Set<Socket> }>();
  readonly #failed = new Map<string, Message>();
  #served: { server: Listener; port: number } | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  /** @param changed is called after an address was opened or closed */
  constructor(
    config: Config,
    {
      log,
      interfaces = os.networkInterfaces,
      changed,
    }: {
      log: Logger;
      interfaces?: ReadInterfaces | undefined;
      changed: () => void;
    },
  ) {
    this.#config = config;
    this.#log = log;
    this.#interfaces = interfaces;
    this.#changed = changed;
  }

  /** Serves with this server, which listens at `port`, from now on. */
  async serve(server: Listener, port: number): Promise<void> {
    this.#served = { server, port };
    await this.follow();
  }

  /** The addresses that other devices can use, or could if they were let in. */
  ways(): HouseWay[] {
    const port = this.#served?.port;
    return listHouseAddresses(this.#interfaces()).map(({ address, at }) => ({
      address,
      at,
      url: port === undefined ? undefined : urlOf(address, port),
      isOpen: this.#open.has(address),
      failed: this.#failed.get(address),
    }));
  }

  /**
   * What links begin with: the first address at which devices of the house reach the service, in place of an address that
   * works on this computer only. An address that somebody has set is kept.
   */
  baseUrl(stored: string | undefined): string | undefined {
    if (this.#config.given.has('BASE_URL') || (stored !== undefined && !isOnThisMachine(stored)))
      return stored;
    return this.ways().find(({ isOpen }) => isOpen)?.url ?? stored;
  }

  /** Opens and closes addresses as the setting and the network of this machine want it; waits until that is done. */
  follow(): Promise<void> {
    const turn = this.#turn.then(() => this.#follow());
    this.#turn = turn;
    return turn;
  }

  async #follow(): Promise<void> {
    if (this.#served === undefined) return;
    const isOpen = !this.#isStopping && isLetIn(this.#config) && findShortKey(this.#config) === undefined;
    const wanted = isOpen ? listHouseAddresses(this.#interfaces()).map(({ address }) => address) : [];
    const before = [...this.#open.keys()].join();
    for (const [address, { listener, sockets }] of this.#open) {
      if (wanted.includes(address)) continue;
      this.#open.delete(address);
      listener.close();
      // Whoever switched it off from such a device still gets the answer; then streams end, too.
      setTimeout(() => endAll(sockets), ANSWERED_WITHIN_MS).unref();
      this.#log.info({ address }, 'devices of the house cannot come by this address any more');
    }
    this.#failed.clear();
    for (const address of wanted) if (!this.#open.has(address)) await this.#openAt(address);
    if ([...this.#open.keys()].join() !== before) this.#changed();
  }

  async #openAt(address: string): Promise<void> {
    const { server, port } = this.#served!;
    const sockets = new Set<Socket>();
    // As Node's own HTTP server does it, which then treats the connection as one of its own.
    const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      server.emit('connection', socket);
    });
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    listener.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    listener.listen({ host: address, port, exclusive: true }, () => resolve(undefined));
    const code = await promise;
    if (code !== undefined) {
      const taken = code === 'EADDRINUSE';
      this.#failed.set(
        address,
        taken
          ? say('port_taken', { address, port: String(port) })
          : say('cannot_listen', { address, port: String(port), code }),
      );
      this.#log.error({ address, port, code }, 'devices of the house cannot come by this address');
      return;
    }
    listener.on('error', (err) => this.#log.error({ err, address }, 'listening in the house network failed'));
    this.#open.set(address, { listener, sockets });
    this.#log.info({ address, port }, 'devices of the house can come by this address');
  }

  /** Takes no new connections, and resolves once the open ones have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#turn;
    const closing = [...this.#open.values()].map(
      ({ listener }) => new Promise((closed) => listener.close(closed)),
    );
    this.#open.clear();
    await Promise.all(closing);
  }
}

/** What a terminal says about other devices when the service has started: which addresses they can use, or could. */
export function waysInWords(
  { HOST, given }: Pick<Config, 'HOST' | 'given'>,
  ways: readonly Pick<HouseWay, 'url' | 'isOpen' | 'failed'>[],
): string[] {
  const urls = (all: typeof ways) => all.flatMap(({ url }) => url ?? []).join(' or ');
  const isEverywhere = ['0.0.0.0', '::'].includes(HOST);
  const open = isEverywhere ? ways : ways.filter(({ isOpen }) => isOpen);
  if (open.length > 0) return [`Other devices in this house open ${urls(open)}`];
  const failed = ways.flatMap(({ failed }) => failed ?? []);
  if (failed.length > 0)
    return failed.map((reason) => `Other devices cannot reach this service: ${sentenceOf(reason)}`);
  if (given.has('HOST') || ways.length === 0) return [];
  return [
    `Only this computer opens this service. An owner can let devices in this house in, under Settings, Address; they then open ${urls(ways)}`,
  ];
}
