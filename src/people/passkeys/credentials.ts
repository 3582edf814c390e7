import { z } from 'zod';

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);

/** A credential id has at most 1,023 bytes. */
const id = base64url(1_364);
const type = z.literal('public-key');
const clientDataJSON = base64url(4_096);

/** A passkey's response to a challenge, as browsers encode it, with the user handle. */
const Assertion = z.object({
  id,
  rawId: id,
  type,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(4_096),
    signature: base64url(2_048),
    userHandle: base64url(128),
  }),
});

/** A new passkey, as browsers encode it. Unknown transports are dropped. */
const Registration = z.object({
  id,
  rawId: id,
  type,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(16_384),
    transports: z
      .array(z.string())
      .max(20)
      .default([])
      .transform((given) => TRANSPORTS.filter((known) => given.includes(known))),
  }),
});

const ClientData = z.object({ challenge: z.string().max(200), crossOrigin: z.literal(false).optional() });

/** @param value an object, or its JSON as a form sends it. @returns undefined for anything else */
export const parseAssertion = (value: unknown) => parse(Assertion, value);
/** @param value an object, or its JSON as a form sends it. @returns undefined for anything else */
export const parseRegistration = (value: unknown) => parse(Registration, value);

/** Returns a credential and its challenge; undefined if it is invalid or was requested in a cross-origin frame. */
function parse<Credential extends { response: { clientDataJSON: string } }>(
  schema: z.ZodType<Credential>,
  value: unknown,
): { credential: Credential; challenge: string } | undefined {
  const { data: credential } = schema.safeParse(typeof value === 'string' ? fromJson(value) : value);
  if (!credential) return undefined;
  const client = Buffer.from(credential.response.clientDataJSON, 'base64url').toString();
  const { data } = ClientData.safeParse(fromJson(client));
  return data && { credential, challenge: data.challenge };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
