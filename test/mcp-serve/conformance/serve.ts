// A server with the fixtures of the conformance suite, on Oka's own transports. Prints where it listens and its token;
// ends with its standard input.
import { offerSource, type ServerSource, serveHttp } from '../../../src/adapters/mcp-server/index.ts';
import { systemRandom } from '../../../src/kernel/index.ts';
import { askBack, askingTools } from './asking-tools.ts';
import { FixtureOffer } from './fixture-offer.ts';

const offer = new FixtureOffer(askingTools);
const identity = { name: 'oka-fixtures', title: 'Fixtures', version: '0.0.0', instructions: '' };
const plain = offerSource(offer, identity);
const source: ServerSource = {
  ...plain,
  open: (era) => {
    const connection = plain.open(era);
    askBack(connection.server, offer);
    return connection;
  },
};
const token = systemRandom.hex(32);
const service = await serveHttp(source, {
  port: 0,
  token,
  newSessionId: () => systemRandom.hex(16),
  onWarning: (what) => process.stderr.write(`${what}\n`),
});
process.stdout.write(`${JSON.stringify({ url: service.url, token })}\n`);
process.stdin.resume().on('end', () => void service.close());
