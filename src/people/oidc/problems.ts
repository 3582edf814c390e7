/** Why a sign-in at the provider failed. */
export interface Problem {
  /** `settings` and `clock` concern everybody until the operator acts; `refused` concerns one sign-in. */
  kind: 'settings' | 'clock' | 'unreachable' | 'refused';
  /** In words, with what was expected and found unless it is secret. */
  reason: string;
}

/** The code of the page's title for each kind of problem. */
export const TITLE_CODE = {
  settings: 'oidc_not_set_up',
  clock: 'oidc_clocks_differ',
  unreachable: 'oidc_unreachable',
  refused: 'oidc_refused',
} as const satisfies Record<Problem['kind'], string>;

/** What the library adds to its errors. */
interface Details {
  expected?: unknown;
  attribute?: string;
  claim?: string;
  claims?: Record<string, unknown>;
  body?: Record<string, unknown>;
  header?: { alg?: unknown };
  alg?: unknown;
  now?: number;
  status?: number;
}

const SIGNATURES = 'RS256, PS256, ES256 or EdDSA';
const UNREACHABLE = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/**
 * Explains an error of discovery: the server at the issuer is not a provider, or is another one.
 * @param isOfEnvironment whether the settings are variables, which are then named
 */
export function problemOfDiscovery(error: unknown, issuer: string, isOfEnvironment: boolean): Problem {
  const { code, message } = error as NodeJS.ErrnoException;
  const { attribute, body, status } = detailsOf(error);
  if (isUnreachable(error)) return unreachable(error);
  if (attribute === 'issuer')
    return settings(
      `${isOfEnvironment ? 'OIDC_ISSUER' : 'the issuer'} is ${issuer}, but the provider calls itself ${body?.issuer}: use its spelling`,
    );
  const found = status === undefined ? `${message} (${code})` : `status ${status}`;
  return settings(
    `there is no metadata of an OpenID provider at ${isOfEnvironment ? 'OIDC_ISSUER' : 'the issuer'}, ${issuer}: ${found}`,
  );
}

/** Explains an error after the redirect. @param method the authentication of this service at the token endpoint */
export function problemOfSignIn(error: unknown, method: string, isOfEnvironment: boolean): Problem {
  const { code, error: said } = error as { code?: string; error?: string };
  const { claim, claims, expected, header, alg, now } = detailsOf(error);
  if (isUnreachable(error)) return unreachable(error);
  if (
    said === 'invalid_client' ||
    said === 'unauthorized_client' ||
    code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'
  )
    return settings(
      `the provider refused this service (${said ?? 'status 401'}, method ${method}): ${
        isOfEnvironment
          ? 'compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or set OIDC_CLIENT_AUTH_METHOD'
          : 'compare the client id and the client secret, and which method it wants'
      }`,
    );
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' && claim !== 'auth_time')
    return {
      kind: 'clock',
      reason: `the clocks differ: the token has ${claim} ${timeOf(claims?.[claim ?? ''])}, but here it is ${timeOf(now)}`,
    };
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' && claim === 'iss')
    return settings(`the ID token names the issuer ${claims?.iss}, expected was ${expected}`);
  const signedWith = alg ?? header?.alg;
  if (signedWith !== undefined)
    return settings(
      `the ID token is signed with ${signedWith}, expected was ${expected ?? SIGNATURES}: choose that at the provider`,
    );
  return { kind: 'refused', reason: nameOf(error) };
}

/** An error as a name: preferably its code, which does not contain the data that was sent. */
export function nameOf(error: unknown): string {
  const { code, error: said, name, message } = error as Record<string, unknown>;
  return String(said ?? code ?? `${name}: ${message}`).slice(0, 200);
}

/** Whether ID tokens may be signed with this algorithm: one whose key the provider alone has. */
export const isAccepted = (algorithm: string): boolean =>
  /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/.test(algorithm);

/** The provider announces no algorithm that is accepted. */
export const problemOfAlgorithms = (found: readonly string[]): Problem =>
  settings(
    `the ID token is signed with ${found.join(', ')}, expected was ${SIGNATURES}: choose that at the provider`,
  );

/** The clock of the provider differs too much. */
export const problemOfClocks = (there: number, here: number): Problem => ({
  kind: 'clock',
  reason: `the clocks differ: at the provider it is ${timeOf(there / 1000)}, but here it is ${timeOf(here / 1000)}`,
});

const settings = (reason: string): Problem => ({ kind: 'settings', reason: reason.slice(0, 500) });

function unreachable(error: unknown): Problem {
  const { cause } = error as Error;
  const { status } = detailsOf(error);
  const why = status === undefined ? nameOf(cause instanceof Error ? cause : error) : `status ${status}`;
  const words = IN_WORDS.find(([code]) => code.test(why))?.[1];
  return {
    kind: 'unreachable',
    reason: `the provider cannot be reached: ${words === undefined ? why : `${words} (${why})`}`,
  };
}

const IN_WORDS: readonly [RegExp, string][] = [
  [/^status/, 'it answers with an error'],
  [/ECONNREFUSED/, 'nothing answers at the address of the issuer'],
  [/ENOTFOUND|EAI_AGAIN/, 'no server has the name in the address of the issuer'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, 'its certificate is not trusted here'],
  [/TIMEOUT|ABORT/i, 'it does not answer in time'],
];

function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  const { status = 0 } = detailsOf(error);
  return (
    UNREACHABLE.includes(code ?? '') || status >= 500 || (name === 'TypeError' && message === 'fetch failed')
  );
}

/** The innermost cause that is not an error itself: the library puts a record or a response there. */
function detailsOf(error: unknown): Details {
  let inner = error;
  while (inner instanceof Error) inner = inner.cause;
  return typeof inner === 'object' && inner !== null ? inner : {};
}

const timeOf = (seconds: unknown): string =>
  typeof seconds === 'number' && Math.abs(seconds) < 8e12
    ? Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000)).toString({ smallestUnit: 'second' })
    : 'at no valid time';
