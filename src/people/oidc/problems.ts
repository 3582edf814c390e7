import { t } from '#kernel/language/message.ts';
import { formatted, type Words } from '#kernel/language/words.ts';

/** Why a sign-in at the provider failed. */
export interface Problem {
  /** `settings` and `clock` concern everybody until the operator acts; `refused` concerns one sign-in. */
  kind: 'settings' | 'clock' | 'unreachable' | 'refused';
  /** With what was expected and found unless it is secret; without a capital letter. */
  reason: Words;
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

const SIGNATURES = t('settings.oidc.signatures');
const UNREACHABLE = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/**
 * Explains an error of discovery: the server at the issuer is not a provider, or is another one.
 * @param isOfEnvironment whether the settings are variables, which are then named
 */
export function problemOfDiscovery(error: unknown, issuer: string, isOfEnvironment: boolean): Problem {
  const { code, message } = error as NodeJS.ErrnoException;
  const { attribute, body, status } = detailsOf(error);
  if (isUnreachable(error)) return unreachable(error);
  const from = isOfEnvironment ? 'variable' : 'other';
  if (attribute === 'issuer')
    return settings(t('settings.oidc.other_issuer', { from, issuer, found: shortened(body?.issuer) }));
  const found =
    status === undefined
      ? `${message} (${code})`
      : t('settings.upstream.plain_status', { status: String(status) });
  return settings(t('settings.oidc.no_metadata', { from, issuer, found }));
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
      t('settings.oidc.refused_service', {
        from: isOfEnvironment ? 'variable' : 'other',
        said: said ?? t('settings.upstream.plain_status', { status: '401' }),
        method,
      }),
    );
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' && claim !== 'auth_time') {
    const then = timeOf(claims?.[claim ?? '']);
    return {
      kind: 'clock',
      reason: t('settings.oidc.token_clock', { claim: claim ?? '', then, now: timeOf(now) }),
    };
  }
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' && claim === 'iss')
    return settings(
      t('settings.oidc.token_issuer', { found: shortened(claims?.iss), expected: shortened(expected) }),
    );
  const signedWith = alg ?? header?.alg;
  if (signedWith !== undefined)
    return settings(
      t('settings.oidc.signed_with', {
        found: shortened(signedWith),
        expected: expected === undefined ? SIGNATURES : shortened(expected),
      }),
    );
  return { kind: 'refused', reason: formatted(() => nameOf(error)) };
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
  settings(t('settings.oidc.signed_with', { found: shortened(found.join(', ')), expected: SIGNATURES }));

/** The clock of the provider differs too much. */
export const problemOfClocks = (there: number, here: number): Problem => ({
  kind: 'clock',
  reason: t('settings.oidc.clocks', { there: timeOf(there / 1000), here: timeOf(here / 1000) }),
});

const settings = (reason: Words): Problem => ({ kind: 'settings', reason });

/** What the provider sent, as far as it is shown. */
const shortened = (sent: unknown): string => String(sent).slice(0, 200);

function unreachable(error: unknown): Problem {
  const { cause } = error as Error;
  const { status } = detailsOf(error);
  const name = status === undefined ? nameOf(cause instanceof Error ? cause : error) : undefined;
  const why = name ?? t('settings.upstream.plain_status', { status: String(status) });
  const words = name === undefined ? answeredError : IN_WORDS.find(([code]) => code.test(name))?.[1];
  return {
    kind: 'unreachable',
    reason: t('settings.oidc.unreachable', { why: words?.(why) ?? why }),
  };
}

type Why = (why: Words | string) => Words;

const answeredError: Why = (why) => t('settings.oidc.why_error', { why });
const IN_WORDS: readonly [RegExp, Why][] = [
  [/ECONNREFUSED/, (why) => t('settings.oidc.why_refused', { why })],
  [/ENOTFOUND|EAI_AGAIN/, (why) => t('settings.oidc.why_no_host', { why })],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, (why) => t('settings.oidc.why_certificate', { why })],
  [/TIMEOUT|ABORT/i, (why) => t('settings.oidc.why_late', { why })],
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

const timeOf = (seconds: unknown): Words | string =>
  typeof seconds === 'number' && Math.abs(seconds) < 8e12
    ? Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000)).toString({ smallestUnit: 'second' })
    : t('settings.oidc.no_time');
