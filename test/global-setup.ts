import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the whole test run a user folder of its own, which the workers and the processes they start inherit. */
export default function isolateEnvironment(): () => void {
  const home = mkdtempSync(join(tmpdir(), 'oka-home-'));
  process.env['OKA_HOME'] = home;
  // npm needs them to reach a registry behind a proxy.
  process.env['OKA_TEST_CA_CERTS'] = process.env['NODE_EXTRA_CA_CERTS'];
  // Reading extra certificates makes every Node that a test starts slower.
  delete process.env['NODE_EXTRA_CA_CERTS'];
  return () => rmSync(home, { recursive: true, force: true });
}
