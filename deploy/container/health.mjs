// The health check of a container: exits with 0 when the daemon, or the worker, answers. Arguments: `daemon`, or `worker` and
// its port.

import { execFile } from 'node:child_process';
import { connect } from 'node:http2';
import { promisify } from 'node:util';

const ANSWERS_WITHIN_MS = 10_000;

const checks = {
  async daemon() {
    const { stdout } = await promisify(execFile)('oka', ['status', '--json'], { timeout: ANSWERS_WITHIN_MS });
    const { data } = JSON.parse(stdout);
    if (data.daemon === null) throw new Error('the daemon does not answer');
  },

  async worker(port) {
    const session = connect(`http://127.0.0.1:${port}`);
    try {
      const status = await new Promise((resolve, reject) => {
        session.once('error', reject).setTimeout(ANSWERS_WITHIN_MS, () => reject(new Error('no answer')));
        // A worker refuses whoever has not its key.
        const request = session.request({ ':path': '/health' });
        request.once('error', reject).once('response', (headers) => resolve(headers[':status']));
        request.resume().end();
      });
      if (status !== 401) throw new Error(`the worker answers ${status}`);
    } finally {
      session.destroy();
    }
  },
};

const [role, ...rest] = process.argv.slice(2);
try {
  await checks[role](...rest);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
