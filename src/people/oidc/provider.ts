import type * as Client from 'openid-client';
import { DAY, SECOND, systemClock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from '#kernel/environment/oidc.ts';
import { AppError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import {
  isAccepted,
  nameOf,
  type Problem,
  problemOfAlgorithms,
  problemOfClocks,
  problemOfDiscovery,
  problemOfSignIn,
  TITLE_CODE,
} from './problems.ts';

/** How long a request waits for the provider at most, for all of its responses together. */
const WITHIN = 5 * SECOND;
/** How long it waits for the claims that the ID token may lack. */
const USERINFO_WITHIN = 2 * SECOND;
/** Clocks may differ by a minute and more; a code is redeemed within seconds, so little depends on it. */
const CLOCK_TOLERANCE_SECONDS = 90;
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

/** The name of the OpenID provider on pages; undefined if none is set up. */
export const providerName = ({ config }: Pick<Context, 'config'>): string | undefined =>
  listMissing(config).length > 0 ? undefined : config.OIDC_NAME;

/** What has to be entered before anybody can sign in at a provider, in words. */
function listMissing(config: Config): Words[] {
  const hasSecret = config.OIDC_CLIENT_SECRET !== undefined || config.OIDC_CLIENT_AUTH_METHOD === 'none';
  const needed: [name: Words, isThere: boolean][] = [
    [t('settings.oidc.needs_issuer'), config.OIDC_ISSUER !== undefined],
    [t('settings.oidc.needs_client_id'), config.OIDC_CLIENT_ID !== undefined],
    [t('settings.oidc.needs_client_secret'), hasSecret],
    [t('settings.oidc.needs_address'), config.BASE_URL !== undefined],
  ];
  return needed.flatMap(([name, isThere]) => (isThere ? [] : [name]));
}

/** The OpenID provider of the present settings. Its metadata is fetched when it is first needed. */
export class OpenIdProvider {
  readonly #ctx: Pick<Context, 'config' | 'now' | 'log'>;
  #settings = '';
  /** How far the clock of its last answer was ahead of ours, in milliseconds. */
  #ahead = 0;
  #found: { client: Promise<Configured>; until: number } | undefined;
  #lastSignIn: number | undefined;
  #problem: (Problem & { at: number; status: number }) | undefined;

  constructor(ctx: Pick<Context, 'config' | 'now' | 'log'>) {
    this.#ctx = ctx;
  }

  /** Its name on pages. */
  get name(): string {
    return this.#ctx.config.OIDC_NAME;
  }

  /** Whether people can sign in there. */
  get isSetUp(): boolean {
    return providerName(this.#ctx) !== undefined;
  }

  /** When somebody last came back from it, and the problem since then that concerns everybody. */
  get state(): { lastSignIn: number | undefined; problem: (Problem & { at: number }) | undefined } {
    this.#forgetFormer();
    return { lastSignIn: this.#lastSignIn, problem: this.#problem };
  }

  /**
   * Tries the settings with the provider: its metadata, its clock, and whether it knows this service, which redeems a code
   * that it has made up.
   * @returns what does not fit, without capital letters
   */
  async test(): Promise<Words[]> {
    const missing = listMissing(this.#ctx.config);
    if (missing.length > 0) return [t('settings.oidc.enter_first', { names: allOf(missing) })];
    this.#found = undefined;
    this.#ahead = 0;
    const problems = await this.#tryOut();
    const isOff = Math.abs(this.#ahead) > CLOCK_TOLERANCE_SECONDS * SECOND;
    if (isOff && !problems.some(({ kind }) => kind === 'clock'))
      problems.push(problemOfClocks(systemClock() + this.#ahead, systemClock()));
    return problems.map(({ reason }) => reason);
  }

  async #tryOut(): Promise<Problem[]> {
    const secrets = { state: 'test', nonce: 'test', verifier: 'test'.repeat(11) };
    try {
      const { config } = await this.#inTime(this.#client());
      const { issuer, id_token_signing_alg_values_supported: algorithms } = config.serverMetadata();
      if (algorithms !== undefined && !algorithms.some(isAccepted)) return [problemOfAlgorithms(algorithms)];
      const search = new URLSearchParams({ code: 'made-up-by-a-test', state: secrets.state, iss: issuer });
      await this.#inTime(this.#prove(`?${search}`, secrets, undefined));
      return [];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Every other refusal is that of the code.
      return error.problem.kind === 'refused' ? [] : [error.problem];
    }
  }

  /** Reads the metadata if that is due, so that a wrong setting is known before anybody signs in. */
  look(): void {
    this.#client().catch(() => {});
  }

  /**
   * Returns the provider's URL for signing in. @param freshly asks the provider to authenticate the user again
   * @throws 503 while the provider cannot be reached
   */
  async begin({ state, nonce, verifier }: FlowSecrets, { freshly = false } = {}): Promise<URL> {
    const { client, config } = await this.#inTime(this.#client());
    return client.buildAuthorizationUrl(config, {
      redirect_uri: this.#ownAddress(CALLBACK),
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
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
    const { configured, claims, token } = await this.#inTime(this.#prove(search, secrets, maxAge));
    const said = await this.#userInfo(configured, claims, token);
    this.#lastSignIn = this.#ctx.now();
    this.#problem = undefined;
    const address = normalizeAddress(typeof said.email === 'string' ? said.email : '');
    return {
      issuer: configured.config.serverMetadata().issuer,
      subject: claims.sub,
      email: address.ok ? address.email : undefined,
      emailVerified: said.email_verified === true,
    };
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
  ): Promise<{ configured: Configured; claims: Client.IDToken; token: string }> {
    const configured = await this.#client();
    const { client, config, method } = configured;
    try {
      const tokens = await client.authorizationCodeGrant(
        config,
        new URL(`${this.#ownAddress(CALLBACK)}${search}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(maxAge !== undefined && { maxAge }),
        },
      );
      const claims = tokens.claims();
      if (!claims || claims.sub === '' || claims.sub.length > 255) throw new Error('no usable subject');
      return { configured, claims, token: tokens.access_token };
    } catch (error) {
      throw this.#refusal(401, problemOfSignIn(error, method, this.#isOfEnvironment));
    }
  }

  /**
   * The claims of the userinfo endpoint: a conforming provider does not put the mail address into the ID token. While
   * they cannot be read, the ID token has to do: it has proved the account.
   * @throws 401 if they are about another account
   */
  async #userInfo(
    { client, config, method }: Configured,
    claims: Client.IDToken,
    token: string,
  ): Promise<Record<string, unknown>> {
    if (!config.serverMetadata().userinfo_endpoint) return claims;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('not answered in time')), USERINFO_WITHIN);
    });
    try {
      return await Promise.race([client.fetchUserInfo(config, token, claims.sub), late]);
    } catch (error) {
      const reason = nameOf(error);
      if (reason === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
        throw this.#refusal(401, problemOfSignIn(error, method, this.#isOfEnvironment));
      this.#ctx.log.warn({ reason }, 'OpenID: the user info cannot be read, the ID token is used without it');
      return claims;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The provider's metadata: cached for a day, and fetched again half a minute after a failure. */
  #client(): Promise<Configured> {
    this.#forgetFormer();
    const now = this.#ctx.now();
    if (this.#found && now < this.#found.until) return this.#found.client;
    const found = { client: this.#discover(), until: now + KEPT };
    found.client.catch(() => {
      found.until = now + RETRIED;
    });
    this.#found = found;
    return found.client;
  }

  /** Forgets what was known with other settings. */
  #forgetFormer(): void {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CLIENT_AUTH_METHOD } = this.#ctx.config;
    const settings = JSON.stringify([
      OIDC_ISSUER,
      OIDC_CLIENT_ID,
      OIDC_CLIENT_SECRET,
      OIDC_CLIENT_AUTH_METHOD,
    ]);
    if (settings === this.#settings) return;
    this.#settings = settings;
    this.#found = undefined;
    this.#problem = undefined;
    this.#lastSignIn = undefined;
  }

  /** Compares the clocks with each answer that no proxy has kept. */
  readonly #fetch = async (address: string, options: object): Promise<Response> => {
    const answer = await fetch(address, options);
    const at = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(at) && !answer.headers.has('age')) this.#ahead = at - systemClock();
    return answer;
  };

  async #discover(): Promise<Configured> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = this.#ctx.config;
    const issuer = new URL(OIDC_ISSUER);
    const client = await import('openid-client');
    // By default the library does not check the signature of an ID token from the token endpoint.
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    // The provider's metadata say which method it accepts.
    let authenticate: Client.ClientAuth = client.None();
    const auth: Client.ClientAuth = (...request) => authenticate(...request);
    let config: Client.Configuration;
    try {
      config = await client.discovery(
        issuer,
        OIDC_CLIENT_ID,
        { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        auth,
        { timeout: WITHIN / SECOND, execute, [client.customFetch]: this.#fetch },
      );
    } catch (error) {
      throw this.#refusal(503, problemOfDiscovery(error, OIDC_ISSUER, this.#isOfEnvironment));
    }
    const method = this.#authMethod(config.serverMetadata());
    if (method === 'client_secret_basic') authenticate = client.ClientSecretBasic(OIDC_CLIENT_SECRET);
    if (method === 'client_secret_post') authenticate = client.ClientSecretPost(OIDC_CLIENT_SECRET);
    if (this.#problem?.status === 503) this.#problem = undefined;
    return { client, config, method };
  }

  /** OIDC_CLIENT_AUTH_METHOD, else the first known method that the provider supports. @throws 503 if there is none */
  #authMethod({ token_endpoint_auth_methods_supported }: Client.ServerMetadata): ClientAuthMethod {
    // The default of OpenID Connect Discovery 1.0, section 3.
    const supported = token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method =
      this.#ctx.config.OIDC_CLIENT_AUTH_METHOD ?? CLIENT_AUTH_METHODS.find((one) => supported.includes(one));
    if (method !== undefined) return method;
    const reason = t('settings.oidc.methods', {
      found: supported.join(', ').slice(0, 200),
      expected: CLIENT_AUTH_METHODS.join(', '),
    });
    throw this.#refusal(503, { kind: 'settings', reason });
  }

  /** @throws 503 after the time-out */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const problem = { kind: 'unreachable', reason: t('settings.oidc.too_late') } as const;
      timer = setTimeout(() => reject(this.#refusal(503, problem)), WITHIN);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Logs a problem, keeps it for /admin/health unless it concerns one sign-in, and makes the error for its page. */
  #refusal(status: number, problem: Problem): Refusal {
    const { kind, reason } = problem;
    this.#ctx.log.warn(
      { reason: `OpenID: ${reason.for(ENGLISH)}` },
      'a sign-in at the OpenID provider was refused',
    );
    if (kind !== 'refused') this.#problem = { ...problem, at: this.#ctx.now(), status };
    return new Refusal(kind === 'unreachable' ? 503 : status, problem, this.name);
  }

  get #isOfEnvironment(): boolean {
    return this.#ctx.config.given.has('OIDC_ISSUER');
  }

  #ownAddress(path: string): string {
    return `${this.#ctx.config.BASE_URL}${path}`;
  }
}

/** A sign-in that failed, with the reason for those who run the service. */
class Refusal extends AppError<(typeof TITLE_CODE)[Problem['kind']]> {
  readonly problem: Problem;

  constructor(status: number, problem: Problem, provider: string) {
    super(status, TITLE_CODE[problem.kind], { provider });
    this.problem = problem;
  }
}

interface Configured {
  client: typeof Client;
  config: Client.Configuration;
  method: ClientAuthMethod;
}
