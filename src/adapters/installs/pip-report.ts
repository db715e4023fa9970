import * as z from 'zod';
import { OkaError } from '../../kernel/index.ts';
import { canonicalPackage, type EnvironmentErrorCode, type LockedPackage } from '../../tools/index.ts';

const REPORT = z.object({
  install: z.array(
    z.object({
      metadata: z.object({ name: z.string(), version: z.string() }),
      download_info: z.object({
        url: z.string(),
        archive_info: z
          .object({
            /** Older pip versions report the hash as `sha256=…`. */
            hash: z.string().optional(),
            hashes: z.record(z.string(), z.string()).optional(),
          })
          .optional(),
      }),
    }),
  ),
});

/** The packages in a pip report with their hashes. Rejects packages without a hash, and anything but wheels. */
export function readPipReport(text: string): readonly LockedPackage[] {
  const { install } = REPORT.parse(JSON.parse(text));
  return install
    .map(({ metadata: { name, version }, download_info: { url, archive_info } }) => {
      const hash = archive_info?.hashes?.['sha256'] ?? /^sha256=(.+)$/.exec(archive_info?.hash ?? '')?.[1];
      if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash) || !isWheel(url))
        throw unverified(name, version);
      return { name: canonicalPackage('python', name), version, integrity: `sha256:${hash}` };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isWheel(url: string): boolean {
  return /\.whl(?:[?#]|$)/.test(url);
}

function unverified(name: string, version: string): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.unverified',
    `The index offers ${name} ${version} without a hash or not as a wheel, so it cannot be verified or needs a build; nothing was installed. Use another index or package.`,
    { data: { package: name, version } },
  );
}
