import { ManualClock } from '../support/manual-clock.ts';

/** A clock that knows whole milliseconds only, as machines' clocks do. */
export class WholeClock extends ManualClock {
  override callAt(at: number, callback: () => void): () => void {
    return super.callAt(Math.ceil(at), callback);
  }
}
