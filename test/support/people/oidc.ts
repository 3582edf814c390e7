import type { MailServer } from '#test/stand-ins/mail-server.ts';
import { CLIENT } from '#test/stand-ins/openid-provider.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import type { browserOf } from './people.ts';

export const CALLBACK = `${BASE}/sign-in/oidc/callback`;

/** The service with an OpenID provider. */
export function oidcApp(
  issuer: string,
  mails: MailServer,
  env: Record<string, string> = {},
): Promise<TestApp> {
  return testApp({
    ...mailTo(mails.url),
    LOCAL_BYPASS: 'off',
    RATE_LIMIT_SIGN_IN: '1000',
    OIDC_NAME: 'The Club Account',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    ...env,
  });
}

/** Starts a sign-in, and returns the provider's address to which the service redirects. */
export async function leaveFor(browser: ReturnType<typeof browserOf>, query = ''): Promise<URL> {
  const answer = await browser.get(`/sign-in/oidc${query}`);
  if (answer.statusCode !== 303) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return new URL(String(answer.headers.location));
}

/** Returns an address without its origin. */
export const pathOf = (address: string): string => address.slice(new URL(address).origin.length);
