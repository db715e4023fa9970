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
            /** Older versions of pip tell the hash so: `sha256=…`. */
            hash: z.string().optional(),
            hashes: z.record(z.string(), z.string()).optional(),
          })
          .optional(),
      }),
    }),
  ),
});

/** What pip has installed, each with its hash. A package without one is refused, and so is whatever is not a wheel. */
export function readPipReport(text: string): readonly LockedPackage[] {
  const { install } = REPORT.parse(JSON.parse(text));
  return install
    .map(({ metadata: { name, version }, download_info: { url, archive_info } }) => {
      const told = archive_info?.hashes?.['sha256'] ?? /^sha256=(.+)$/.exec(archive_info?.hash ?? '')?.[1];
      if (told === undefined || !/^[0-9a-f]{64}$/.test(told) || !isWheel(url))
        throw unverified(name, version);
      return { name: canonicalPackage('python', name), version, integrity: `sha256:${told}` };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isWheel(url: string): boolean {
  return /\.whl(?:[?#]|$)/.test(url);
}

function unverified(name: string, version: string): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.unverified',
    `the index offers ${name} ${version} without a hash or not as a wheel, so it cannot be checked or would have to be built; nothing was installed. Use another index or another package.`,
    { data: { package: name, version } },
  );
}
