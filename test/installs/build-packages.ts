import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';

/** A wheel's file in `folder`: what pip installs, made of the files given. */
export function buildWheel(
  folder: string,
  wheel: {
    readonly name: string;
    readonly version: string;
    readonly files: Readonly<Record<string, string>>;
    readonly programs?: Readonly<Record<string, string>>;
    readonly needs?: readonly string[];
  },
): void {
  const { name, version, programs = {}, needs = [] } = wheel;
  const info = `${name}-${version}.dist-info`;
  const entryPoints = Object.entries(programs).map(([program, place]) => `${program} = ${place}\n`);
  const files: Record<string, string> = {
    ...wheel.files,
    [`${info}/METADATA`]: [
      'Metadata-Version: 2.1',
      `Name: ${name}`,
      `Version: ${version}`,
      ...needs.map((need) => `Requires-Dist: ${need}`),
      '',
    ].join('\n'),
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/entry_points.txt`]: `[console_scripts]\n${entryPoints.join('')}`,
  };
  const record = Object.entries(files).map(([path, content]) => {
    const hash = createHash('sha256').update(content).digest('base64url');
    return `${path},sha256=${hash},${Buffer.byteLength(content)}\n`;
  });
  files[`${info}/RECORD`] = `${record.join('')}${info}/RECORD,,\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}-${version}-py3-none-any.whl`), zip(files));
}

/** A package as a registry of npm hands it out. */
export function buildTarball(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const body = Buffer.from(content);
    const rest = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [tarHeader(`package/${path}`, body.length), body, rest];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function tarHeader(path: string, bytes: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000755\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A zip file whose entries are stored as they are. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, body] = [Buffer.from(path), Buffer.from(content)];
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(0x00_21_00_00, 6);
    shared.writeUInt32LE(crc32(body), 10);
    shared.writeUInt32LE(body.length, 14);
    shared.writeUInt32LE(body.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, name, body]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((0o644 << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003'), shared, place, name]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(centrals.length, 4);
  end.writeUInt16LE(centrals.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from('PK\u0005\u0006'), end]);
}
