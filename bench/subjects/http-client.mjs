// A client of a web server, in its own process so that it does not slow the server down. Called with what to do and how: prints
// one line of JSON for each time it was told to go, by a line on its input.

import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

const [what, url, token, count, atOnce] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });

const get = (options) =>
  new Promise((resolve, reject) => {
    request(url, { headers, agent, ...options }, resolve)
      .on('error', reject)
      .end();
  });

async function requestOnce() {
  const response = await get({});
  if (response.statusCode !== 200) throw new Error(`the server answered with ${response.statusCode}`);
  for await (const _ of response);
}

const work = {
  /** So many requests, some of them at once. */
  async requests() {
    let left = Number(count);
    const worker = async () => {
      while (left-- > 0) await requestOnce();
    };
    return async () => {
      left = Number(count);
      await Promise.all(Array.from({ length: Number(atOnce) }, worker));
    };
  },

  /** Until each of some streams has so many events more. */
  async streams() {
    const unshared = new Agent();
    const streams = await Promise.all(Array.from({ length: Number(atOnce) }, () => get({ agent: unshared })));
    let missing = 0;
    let done = () => undefined;
    for (const stream of streams)
      stream.setEncoding('latin1').on('data', (text) => {
        missing -= text.split('event: ledger').length - 1;
        if (missing <= 0) done();
      });
    return () => {
      missing += Number(count) * streams.length;
      return new Promise((resolve) => {
        done = resolve;
      });
    };
  },
};

const go = await work[what]();
process.stdout.write('ready\n');
for await (const _ of createInterface({ input: process.stdin })) {
  const working = go();
  process.stdout.write('going\n');
  await working;
  process.stdout.write('done\n');
}
process.exit(0);
