import { z } from 'zod';
import { isSafeKeySource } from './checks.ts';
import { switchedBy, text } from './kinds.ts';

/** The settings of an OpenID provider. */
export const OIDC_SETTINGS = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(isSafeKeySource, 'must be https, or http on a loopback address')
    .optional()
    .describe('Address of an OpenID provider that signs people in; needs the next two and BASE_URL'),
  OIDC_CLIENT_ID: text.describe('Client id of the service at that provider'),
  OIDC_CLIENT_SECRET: text.describe('Client secret of the service at that provider'),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1)
    .max(60, 'must have at most 60 characters')
    .default('OpenID Connect')
    .describe('Name of the provider on the sign-in page'),
  OIDC_TRUST_EMAIL: switchedBy(false).describe(
    'on links an account to the one person who has the address that the provider calls verified',
  ),
};

const TOGETHER = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** Checks that a provider has all of its settings, and BASE_URL to redirect back to: no request is trusted for that. */
export function checkOidc(
  env: { [name in (typeof TOGETHER)[number] | 'BASE_URL']?: string | undefined },
  issues: z.core.$RefinementCtx,
): void {
  if (!TOGETHER.some((name) => env[name])) return;
  for (const name of [...TOGETHER, 'BASE_URL'] as const) {
    const others = TOGETHER.filter((one) => one !== name && env[one]).join(', ');
    if (!env[name]) issues.addIssue({ code: 'custom', path: [name], message: `is needed with ${others}` });
  }
}
