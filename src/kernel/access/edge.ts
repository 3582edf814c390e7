import type { JWTPayload } from 'jose';
import { type Clock, DAY, dateOf, MINUTE } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/http/errors.ts';

export type EdgeVerifier = (token: string) => Promise<JWTPayload | undefined>;

/** No new fetch for this long after a failed one, so that many requests here do not flood the key source. */
const RETRY_KEYS_AFTER = MINUTE / 2;

/**
 * Verifies tokens of the access edge: RS256 or ES256 by the key set of EDGE_ACCESS_CERTS_URL, with issuer, audience
 * and expiry. Keys that worked are used for a day while their source is down.
 * @returns undefined when no EDGE_ACCESS_CERTS_URL is set; else a function that returns the claims, or undefined
 * for an invalid token. @throws AppError 503 while no keys are available.
 */
export async function edgeVerifier(config: Config, now: Clock): Promise<EdgeVerifier | undefined> {
  const {
    EDGE_ACCESS_CERTS_URL: source,
    EDGE_ACCESS_ISSUER: issuer,
    EDGE_ACCESS_AUDIENCE: audience,
  } = config;
  if (!source || !issuer || !audience) return undefined;
  // Loaded only if an edge is configured.
  const { createRemoteJWKSet, customFetch, errors, jwtVerify } = await import('jose');
  const keys = createRemoteJWKSet(new URL(source), {
    timeoutDuration: 5_000,
    [customFetch]: patientFetch(now),
  });

  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['exp', 'iss', 'aud'],
        clockTolerance: 30,
        currentDate: dateOf(now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof KeysUnavailable) throw new AppError(503, 'edge_keys_unreachable');
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}

class KeysUnavailable extends Error {}

/** Makes a fetch that returns the last good key set while the source is down, and does not ask it too often. */
function patientFetch(now: Clock): (url: string, options: RequestInit) => Promise<Response> {
  let good: { body: string; at: number } | undefined;
  let failedAt = -Infinity;

  return async (url, options) => {
    try {
      if (now() - failedAt < RETRY_KEYS_AFTER) throw new Error('failed a moment ago');
      const response = await fetch(url, options);
      const body = await response.text();
      if (!response.ok || !Array.isArray(JSON.parse(body).keys))
        throw new Error(`answered ${response.status}`);
      good = { body, at: now() };
    } catch {
      if (now() - failedAt >= RETRY_KEYS_AFTER) failedAt = now();
      if (!good || now() - good.at > DAY) throw new KeysUnavailable();
    }
    return new Response(good.body, { headers: { 'content-type': 'application/json' } });
  };
}
