// A software WebAuthn authenticator that answers like a browser, or with wrong data if a test asks for it.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** Flags of authenticator data: user present, user verified, key can be synced, key is synced, new key included. */
const FLAGS = { present: 1, verified: 4, syncable: 8, synced: 16, attested: 64 };

export interface Answers {
  origin?: string;
  rpId?: string;
  challenge?: string;
  verified?: boolean;
  counter?: number;
  synced?: boolean;
  userHandle?: string;
  /** Makes the signature invalid. */
  forged?: boolean;
  crossOrigin?: boolean;
}

/** A device with one passkey for a host. */
export function authenticator(origin: string) {
  const rpId = new URL(origin).hostname;
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const made = { userHandle: '' };

  const clientData = (type: string, challenge: string, answers: Answers) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: answers.challenge ?? challenge,
        origin: answers.origin ?? origin,
        crossOrigin: answers.crossOrigin ?? false,
      }),
    );
  const dataOf = (answers: Answers, flags: number, more = Buffer.alloc(0)) => {
    const { verified = true, synced = false, counter = 0 } = answers;
    const set = flags + (verified ? FLAGS.verified : 0) + (synced ? FLAGS.syncable + FLAGS.synced : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(FLAGS.present + set, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(answers.rpId ?? rpId), head, more]);
  };
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    id: named.id,
    /** Holds the user handle of the person to whom the passkey belongs. */
    made,

    /** Creates the passkey. @param options of the service */
    register(options: { challenge: string; user: { id: string } }, answers: Answers = {}) {
      made.userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const key = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      return {
        ...named,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, answers).toString('base64url'),
          attestationObject: attestation(dataOf(answers, FLAGS.attested, key)).toString('base64url'),
          transports: ['internal', 'unheard-of'],
        },
      };
    },

    /** Answers a challenge with the passkey. @param options of the service */
    answer(options: { challenge: string }, answers: Answers = {}) {
      const client = clientData('webauthn.get', options.challenge, answers);
      const data = dataOf(answers, 0);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      if (answers.forged) signature[signature.length - 1]! ^= 1;
      return {
        ...named,
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: answers.userHandle ?? made.userHandle,
        },
      };
    },
  };
}

/** An ES256 key in COSE format: { 1: 2, 3: -7, -1: 1, -2: x, -3: y } in CBOR. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const hex = (text: string) => Buffer.from(text, 'hex');
  const part = (text: string) => Buffer.from(text, 'base64url');
  return Buffer.concat([hex('a5010203262001215820'), part(x), hex('225820'), part(y)]);
}

/** { fmt: 'none', attStmt: {}, authData } in CBOR. */
function attestation(data: Buffer): Buffer {
  const head = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex');
  const length = Buffer.from([0x59, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([head, length, data]);
}
