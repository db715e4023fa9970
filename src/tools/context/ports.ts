import type { ContextFrames } from '../../context/index.ts';

/** What the context tools need from outside; handed in as the capability `context`. */
export interface ContextDesk
  extends Pick<
    ContextFrames,
    | 'getNode'
    | 'compose'
    | 'draftPut'
    | 'draftSynthesis'
    | 'prepareGeneration'
    | 'findAnswer'
    | 'draftGenerated'
  > {
  /**
   * Who acts in a run: its agent, or the person whose run it is. A person may act for an agent; an agent for nobody else,
   * which is refused with `context.not_allowed`.
   */
  actingAgent(run: string, asked: string | undefined): Promise<string>;
  /** The model that an agent has its frames written by; undefined means the usual one. */
  modelOf(agent: string): string | undefined;
}
