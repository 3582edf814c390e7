// Certificates of an authority of our own, made when they are needed (X.509, RFC 5280; DER, ITU-T X.690).

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface OwnAuthority {
  /** The certificate of the authority, in PEM form. */
  ca: string;
  /** A certificate for a server with these names, and its key, in PEM form. */
  issue(names: { dns?: string; ip?: string }): { cert: string; key: string };
}

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const VALIDITY = sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z'));
const commonName = (name: string) => sequence(der(0x31, sequence(oid('550403'), text(0x0c, name))));
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));

/** Makes an authority that nobody knows. */
export function ownAuthority(): OwnAuthority {
  const name = 'The authority of the club';
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let serial = 0;
  const certify = (subject: string, publicKey: KeyObject, extensions: Buffer) => {
    serial += 1;
    const content = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.from([serial])),
      ECDSA_SHA256,
      commonName(name),
      VALIDITY,
      commonName(subject),
      publicKey.export({ format: 'der', type: 'spki' }),
      der(0xa3, sequence(extensions)),
    );
    const signature = der(0x03, Buffer.from([0]), sign('sha256', content, own.privateKey));
    const base64 = sequence(content, ECDSA_SHA256, signature).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  };
  const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))));
  return {
    ca: certify(name, own.publicKey, isAuthority),
    issue({ dns, ip }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = sequence(
        dns === undefined ? Buffer.alloc(0) : text(0x82, dns),
        ip === undefined ? Buffer.alloc(0) : der(0x87, Buffer.from(ip.split('.').map(Number))),
      );
      const cert = certify(dns ?? ip ?? '', publicKey, extension('551d11', names));
      return { cert, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
    },
  };
}
