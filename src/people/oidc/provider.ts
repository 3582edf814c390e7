import type * as Client from 'openid-client';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { normalizeAddress } from '#kernel/mail/addresses.ts';

/** How long a request waits for the provider at most, for all of its responses together. */
const WITHIN = 5 * SECOND;
const KEPT = DAY;
const RETRIED = 30 * SECOND;

/** The path to which the provider redirects. */
export const CALLBACK = '/sign-in/oidc/callback';

/** Random strings of one flow. The provider returns the state and the nonce; only this service knows the verifier. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** An account that the provider has authenticated. */
export interface Account {
  issuer: string;
  subject: string;
  /** In lower case; undefined if the provider gives none. */
  email: string | undefined;
  /** Whether the provider states explicitly that the address is verified. */
  emailVerified: boolean;
}

/** The name of the OpenID provider on pages; undefined if none is configured. */
export const providerName = ({ config }: Pick<Context, 'config'>): string | undefined =>
  config.OIDC_ISSUER === undefined ? undefined : config.OIDC_NAME;

/** The configured OpenID provider. Its metadata is fetched when it is first needed. */
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
   * Returns the provider's URL for signing in. @param freshly asks the provider to authenticate the user again
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
   * Returns the authenticated account after the redirect.
   * @param search the query of the redirect
   * @param maxAge maximum age of the authentication in seconds; the provider then has to state its time
   * @throws 401 if the query does not prove an account, 503 while the provider cannot be reached
   */
  async finish(search: string, secrets: FlowSecrets, { maxAge }: { maxAge?: number } = {}): Promise<Account> {
    return this.#inTime(this.#prove(search, secrets, maxAge));
  }

  /** The provider's URL for signing out there; undefined if it has none or cannot be reached. */
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
    // With the code flow a conforming provider does not put the mail address into the ID token.
    const said = userinfo_endpoint
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
    const address = normalizeAddress(typeof said.email === 'string' ? said.email : '');
    return {
      ...{ issuer, subject: claims.sub, email: address.ok ? address.email : undefined },
      emailVerified: said.email_verified === true,
    };
  }

  /** The provider's metadata: cached for a day, and fetched again half a minute after a failure. */
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
      // By default the library does not check the signature of an ID token from the token endpoint.
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

  /** @throws 503 after the time-out or if the provider cannot be reached, 401 for what the library refused */
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

/** Why the library refused something: preferably an error code, which does not contain the data that was sent. */
function reasonOf(error: unknown): string {
  const { code, error: said, name, message } = error as Record<string, unknown>;
  return String(said ?? code ?? `${name}: ${message}`).slice(0, 200);
}

function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as Record<string, unknown>;
  return code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && message === 'fetch failed');
}
