import { z } from 'zod';
import { coded } from '#kernel/messages/messages.ts';
import { keySource, oneOf, switchedBy, text } from './kinds.ts';

/** How this service can prove itself at the token endpoint, the most usual first. */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** The settings of an OpenID provider. */
export const OIDC_SETTINGS = {
  OIDC_ISSUER: keySource
    .optional()
    .describe(
      'Address of an OpenID provider that signs people in, spelled as in its metadata; needs the next two and BASE_URL',
    ),
  OIDC_CLIENT_ID: text.describe('Client id of the service at that provider'),
  OIDC_CLIENT_SECRET: text.describe('Client secret of the service at that provider'),
  OIDC_CLIENT_AUTH_METHOD: oneOf(CLIENT_AUTH_METHODS)
    .optional()
    .describe(
      'How the service proves itself there: client_secret_basic, client_secret_post, or none (then without ' +
        'a secret); unset: chosen by the provider’s metadata',
    ),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1, coded('empty'))
    .max(60, coded('too_long', { max: 60 }))
    .default('OpenID Connect')
    .describe('Name of the provider on the sign-in page'),
  OIDC_TRUST_EMAIL: switchedBy(false).describe(
    'on links an account to the one person who has the address that the provider calls verified',
  ),
};

const TOGETHER = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
type Given = {
  [name in (typeof TOGETHER)[number] | 'BASE_URL' | 'OIDC_CLIENT_AUTH_METHOD']?: string | undefined;
};

/** Checks that a provider has all of its settings, and BASE_URL to redirect back to: no request is trusted for that. */
export function checkOidc(env: Given, issues: z.core.$RefinementCtx): void {
  if (!TOGETHER.some((name) => env[name])) return;
  for (const name of [...TOGETHER, 'BASE_URL'] as const) {
    if (name === 'OIDC_CLIENT_SECRET' && env.OIDC_CLIENT_AUTH_METHOD === 'none') continue;
    const others = TOGETHER.filter((one) => one !== name && env[one]).join(', ');
    if (!env[name])
      issues.addIssue({ code: 'custom', path: [name], message: coded('needed_with', { names: others }) });
  }
}
