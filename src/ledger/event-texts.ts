import type { EventRecord } from './types.ts';

/** The texts that stand for events in the chain and in the mirror. */
export interface EventTexts {
  /** The body's digest; the salt makes short bodies unguessable once they are erased. */
  digestOfBody(salt: string, bodyText: string): string;
  /**
   * An event's chain value: over the previous value of its stream, the previous value of the whole ledger, its header,
   * its data and its body's digest. The newest value is therefore the head of the whole ledger.
   */
  chainAfter(
    previousInStream: string,
    previousInLedger: string,
    event: Omit<EventRecord, 'bodyText' | 'salt' | 'chain'>,
  ): string;
  /** One line of `run_ledger.jsonl`, without its newline. Data and body stand in it exactly as hashed. */
  mirrorLine(event: EventRecord): string;
}

/** Made of a digest of texts and of names as JSON, and of nothing else: another thread makes them of its own. */
export function eventTexts(digestOf: (text: string) => string, quoted: (name: string) => string): EventTexts {
  return {
    digestOfBody: (salt, bodyText) => digestOf(`${salt}\n${bodyText}`),

    chainAfter(previousInStream, previousInLedger, event) {
      const names = `${quoted(event.stream)} ${quoted(event.type)} ${quoted(event.actor)}`;
      const header = `${event.seq} ${event.index} ${event.at} ${event.ends ? 1 : 0} ${names}`;
      return digestOf(
        `${previousInStream}\n${previousInLedger}\n${header}\n${event.dataText}\n${event.bodyDigest ?? ''}`,
      );
    },

    mirrorLine(event) {
      let line = `{"seq":${event.seq},"stream":${quoted(event.stream)},"index":${event.index},"type":${quoted(event.type)},"at":${event.at},"actor":${quoted(event.actor)},"ends":${event.ends},"data":${event.dataText}`;
      if (event.bodyText !== null) line += `,"body":${event.bodyText},"salt":"${event.salt}"`;
      if (event.bodyDigest !== null) line += `,"bodyDigest":"${event.bodyDigest}"`;
      return `${line},"chain":"${event.chain}"}`;
    },
  };
}
