// Archives that a test takes apart and puts together again, and a workspace that is worth a backup.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, type Headers, pack } from 'tar-stream';
import { sealOf } from '../../src/adapters/backup/archive-seal.ts';
import { type BackupManifest, formatManifest } from '../../src/adapters/backup/manifest.ts';
import { freeClosedConnections } from '../../src/adapters/sqlite/index.ts';
import { digestOf } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Part {
  readonly header: Headers;
  readonly content: Buffer;
}

/** The entries of an archive, the manifest first. */
export async function takeApart(file: string): Promise<Part[]> {
  const tar = gunzipSync(readFileSync(file));
  const stream = extract();
  stream.end(tar);
  const parts: Part[] = [];
  for await (const entry of stream) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    parts.push({ header: entry.header, content: Buffer.concat(chunks) });
  }
  return parts;
}

/** Writes an archive of these entries with a seal that fits, as somebody with bad intentions can. */
export async function putTogether(file: string, parts: readonly Part[]): Promise<void> {
  const stream = pack();
  for (const { header, content } of parts) {
    const { name, type, linkname, mode } = header;
    const body = type === 'file' ? content : undefined;
    stream.entry({ name, type, linkname, mode }, body as Buffer);
  }
  stream.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk as Uint8Array);
  await sealed(file, gzipSync(Buffer.concat(chunks)));
}

/** Writes compressed bytes with the seal that fits them. */
export async function sealed(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, Buffer.concat([bytes, sealOf(digestOf(bytes))]));
}

/** The compressed bytes before the seal. */
export function unsealed(file: string): Buffer {
  const bytes = readFileSync(file);
  return bytes.subarray(0, bytes.length - sealOf('').length - 32);
}

export function manifestOf(parts: readonly Part[]): BackupManifest {
  const { digest: _, ...manifest } = JSON.parse((parts[0] as Part).content.toString());
  return manifest;
}

/** The same entries under a manifest that was changed and has the digest that fits. */
export function withManifest(
  parts: readonly Part[],
  change: (manifest: BackupManifest) => BackupManifest,
): Part[] {
  const { format: _, ...manifest } = change(manifestOf(parts));
  const [first, ...rest] = parts as [Part, ...Part[]];
  return [{ header: first.header, content: formatManifest(manifest) }, ...rest];
}

/** An `oka` of this process on a folder. */
export async function withOka<T>(
  place: { readonly root: string; readonly home: string },
  work: (oka: Oka) => Promise<T>,
): Promise<T> {
  const oka = new Oka({ workspace: place.root, home: place.home });
  try {
    return await work(oka);
  } finally {
    await oka.close();
    // Otherwise this process still counts as a user of the database.
    await freeClosedConnections();
  }
}

/** Verifies an archive from a folder that has no workspace. */
export async function verify(file: string) {
  const root = tempFolder();
  return withOka({ root, home: join(root, 'home') }, (oka) => oka.backup.verify({ file }));
}

/** Whether a file or folder of this name exists. */
export function isThere(...path: readonly string[]): boolean {
  return existsSync(join(...path));
}
