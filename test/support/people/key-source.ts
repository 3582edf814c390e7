import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { NOON } from '#test/support/app.ts';

export type Key = Awaited<ReturnType<typeof generateKeyPair>>;

const ISSUER = 'https://edge.example';
const AUDIENCE = 'the club';

/** The claims of a valid token of the edge. */
export const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  exp: (NOON + HOUR) / SECOND,
  email: 'ann@club.example',
};

/** The claims without one of them. */
export function without(claim: keyof typeof CLAIMS): JWTPayload {
  const { [claim]: _, ...rest } = CLAIMS;
  return rest;
}

export const RSA = { alg: 'RS256', kid: 'rsa' };
export const EC = { alg: 'ES256', kid: 'ec' };

/** Makes two keys of the edge, and one that is not the edge's. */
export async function makeKeys(): Promise<{ rsa: Key; ec: Key; foreign: Key }> {
  const [rsa, ec, foreign] = await Promise.all([
    generateKeyPair('RS256'),
    generateKeyPair('ES256'),
    generateKeyPair('RS256'),
  ]);
  return { rsa, ec, foreign };
}

export function sign(claims: JWTPayload, key: Key, header: { alg: string; kid?: string }): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
}

/** Starts a local key source; while it is `down` it drops every connection. `publish` replaces its keys. */
export async function keySource(first: Record<string, Key>) {
  let keys: object[] = [];
  const source = {
    url: '',
    down: false,
    asked: 0,
    async publish(named: Record<string, Key>) {
      keys = await Promise.all(
        Object.entries(named).map(async ([kid, { publicKey }]) => ({
          ...(await exportJWK(publicKey)),
          kid,
          use: 'sig',
        })),
      );
    },
  };
  await source.publish(first);
  const server = http.createServer((request, response) => {
    source.asked += 1;
    if (source.down) request.socket.destroy();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`;
  return Object.assign(source, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** The settings of a service that verifies tokens with the keys of this source. */
export function verifyBy(source: { url: string }): Record<string, string> {
  return {
    EDGE_ACCESS_CERTS_URL: source.url,
    EDGE_ACCESS_ISSUER: ISSUER,
    EDGE_ACCESS_AUDIENCE: AUDIENCE,
    NODE_ENV: 'production',
  };
}
