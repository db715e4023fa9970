import type { OkaApi, ServeRequest, ServingApi } from '../../api/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import { OkaOffer } from './mcp-offer.ts';

declare const __OKA_VERSION__: string;

const TOKEN_BYTES = 32;
const SESSION_BYTES = 16;
const INSTRUCTIONS = [
  'Oka runs tools and automation graphs in one workspace. Every call is a recorded run under the policy of the person who owns the workspace.',
  'A call may come back as an error that says it waits for a person: tell them the command it names, do not call again, and read the resource oka://run/<id> later for what came of it.',
].join(' ');

export interface ServingParts {
  readonly api: Pick<OkaApi, 'tools' | 'graphs' | 'runs'>;
  readonly tokenFile: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Serves a workspace to MCP clients, over any implementation of the API. */
export class Serving implements ServingApi {
  readonly #parts: ServingParts;

  constructor(parts: ServingParts) {
    this.#parts = parts;
  }

  readonly overStreams: ServingApi['overStreams'] = async (request) => {
    const { serveStreams } = await adapter();
    const { offer, source } = await this.#offer(request);
    // Calls under way when either side disconnects stay recorded as they are; clients are notified first.
    const leave = (): void => offer.close();
    for (const event of ['end', 'close']) request.input.once(event, leave);
    request.output.once('error', leave);
    request.signal.addEventListener('abort', leave, { once: true });
    try {
      await serveStreams(source, request);
    } finally {
      offer.close();
    }
  };

  readonly overHttp: ServingApi['overHttp'] = async (request) => {
    const { serveHttp, TokenFile } = await adapter();
    const { random, tokenFile } = this.#parts;
    const { offer, source } = await this.#offer(request);
    const token = random.hex(TOKEN_BYTES);
    const service = await serveHttp(source, {
      port: request.port,
      token,
      newSessionId: () => random.hex(SESSION_BYTES),
      onWarning: request.onWarning,
    });
    const file = new TokenFile(tokenFile);
    try {
      file.write(token);
    } catch (error) {
      await service.close();
      throw error;
    }
    return {
      url: service.url,
      token,
      tokenFile,
      close: async () => {
        offer.close();
        file.remove(token);
        await service.close();
      },
    };
  };

  async #offer({ tools, by, onWarning }: ServeRequest) {
    const { offerSource } = await adapter();
    const { api, clock } = this.#parts;
    const offer = new OkaOffer({ api, tools, by, clock, onWarning });
    await offer.prepare();
    const identity = { name: 'oka', title: 'Oka', version: __OKA_VERSION__, instructions: INSTRUCTIONS };
    return { offer, source: offerSource(offer, identity) };
  }
}

function adapter() {
  return import('../../adapters/mcp-server/index.ts');
}
