import type * as Client from 'openid-client';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { normalizeAddress } from '#kernel/mail/addresses.ts';

/** What a provider that does not answer may take of a request, all of its answers together. */
const WITHIN = 5 * SECOND;
const KEPT = DAY;
const RETRIED = 30 * SECOND;

/** The path that the provider sends people back to. */
export const CALLBACK = '/sign-in/oidc/callback';

/** Random texts of one sign-in. The provider sends the state and the nonce back; the verifier only we know. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** An account, as the provider has proved it. */
export interface Account {
  issuer: string;
  subject: string;
  /** In lower case; undefined where the provider says none. */
  email: string | undefined;
  /** Whether the provider says in so many words that its owner reads that address. */
  emailVerified: boolean;
}

/** What pages call the OpenID provider; undefined while none is set. */
export const providerName = ({ config }: Pick<Context, 'config'>): string | undefined =>
  config.OIDC_ISSUER === undefined ? undefined : config.OIDC_NAME;

/** The OpenID provider of the settings. It is first asked when somebody needs it. */
export class OpenIdProvider {
  readonly #ctx: Pick<Context, 'config' | 'now' | 'log'>;
  #found: { client: Promise<Configured>; until: number } | undefined;

  constructor(ctx: Pick<Context, 'config' | 'now' | 'log'>) {
    this.#ctx = ctx;
  }

  /** Its name on pages. */
  get name(): string {
    return this.#ctx.config.OIDC_NAME;
  }

  /**
   * The address at the provider where somebody signs in. @param freshly asks for the proof once more
   * @throws 503 while the provider cannot be reached
   */
  async begin({ state, nonce, verifier }: FlowSecrets, { freshly = false } = {}): Promise<URL> {
    const { client, config } = await this.#inTime(this.#client());
    return client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: this.#ownAddress(CALLBACK), scope: 'openid email profile', state, nonce },
      ...{
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      },
      ...(freshly && { prompt: 'login', max_age: '0' }),
    });
  }

  /**
   * Who came back.
   * @param search the query that the provider sent the browser back with
   * @param maxAge how long ago, in seconds, the provider may have asked for the proof; it then has to say when it did
   * @throws 401 for whatever does not prove an account, 503 while the provider cannot be reached
   */
  async finish(search: string, secrets: FlowSecrets, { maxAge }: { maxAge?: number } = {}): Promise<Account> {
    return this.#inTime(this.#prove(search, secrets, maxAge));
  }

  /** The address at the provider that signs its account out there; undefined where it has none, or is down. */
  async signOutAddress(): Promise<string | undefined> {
    try {
      const { client, config } = await this.#inTime(this.#client());
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: this.#ownAddress('/') }).href;
    } catch {
      return undefined;
    }
  }

  async #prove(
    search: string,
    { state, nonce, verifier }: FlowSecrets,
    maxAge: number | undefined,
  ): Promise<Account> {
    const { client, config } = await this.#client();
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(`${this.#ownAddress(CALLBACK)}${search}`),
      {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        ...(maxAge !== undefined && { maxAge }),
      },
    );
    const claims = tokens.claims();
    if (!claims || claims.sub === '' || claims.sub.length > 255) throw new Error('no usable subject');
    const { issuer, userinfo_endpoint } = config.serverMetadata();
    // A conforming provider puts no e-mail into the ID token.
    const said = userinfo_endpoint
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
    const address = normalizeAddress(typeof said.email === 'string' ? said.email : '');
    return {
      ...{ issuer, subject: claims.sub, email: address.ok ? address.email : undefined },
      emailVerified: said.email_verified === true,
    };
  }

  /** What the provider says of itself: kept for a day, and asked again half a minute after a failure. */
  #client(): Promise<Configured> {
    const now = this.#ctx.now();
    if (this.#found && now < this.#found.until) return this.#found.client;
    const found = { client: this.#discover(), until: now + KEPT };
    found.client.catch(() => {
      found.until = now + RETRIED;
    });
    this.#found = found;
    return found.client;
  }

  async #discover(): Promise<Configured> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = this.#ctx.config;
    const issuer = new URL(OIDC_ISSUER);
    try {
      const client = await import('openid-client');
      // By default the library takes the word of the token endpoint for an ID token, whatever its signature.
      const execute = [client.enableNonRepudiationChecks];
      if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
      const secret = client.ClientSecretBasic(OIDC_CLIENT_SECRET);
      const options = { timeout: WITHIN / SECOND, execute };
      return {
        client,
        config: await client.discovery(issuer, OIDC_CLIENT_ID, undefined, secret, options),
      };
    } catch (error) {
      this.#ctx.log.warn({ reason: reasonOf(error) }, 'the OpenID provider cannot be reached');
      throw this.#unreachable();
    }
  }

  /** @throws 503 past the time that a request may take, 401 for what the library refused */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.#unreachable()), WITHIN);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.#ctx.log.warn({ reason: reasonOf(error) }, 'a sign-in at the OpenID provider was refused');
      if (isUnreachable(error)) throw this.#unreachable();
      throw new AppError(401, `Signing in with ${this.name} did not work`);
    } finally {
      clearTimeout(timer);
    }
  }

  #unreachable = () => new AppError(503, `${this.name} cannot be reached`);

  #ownAddress(path: string): string {
    return `${this.#ctx.config.BASE_URL}${path}`;
  }
}

interface Configured {
  client: typeof Client;
  config: Client.Configuration;
}

/** Why the library refused something: its code, which quotes nothing that was sent. */
function reasonOf(error: unknown): string {
  const { code, error: said, name, message } = error as Record<string, unknown>;
  return String(said ?? code ?? `${name}: ${message}`).slice(0, 200);
}

function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as Record<string, unknown>;
  return code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && message === 'fetch failed');
}
