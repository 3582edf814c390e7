import { crc32, deflateRawSync } from 'node:zlib';

/** 1 January 1980, the first day that an archive can name: equal files make equal archives. */
const DAY = 0x21;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 20;

/** A zip archive of files with names in ASCII, in their order; at most some megabytes. */
export function zip(files: readonly { name: string; content: string | Buffer }[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const whole = Buffer.from(content);
    const packed = deflateRawSync(whole);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DAY, 8);
    common.writeUInt32LE(crc32(whole), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(whole.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([VERSION, 0]), common, place, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}
