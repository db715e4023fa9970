import type { Clock } from '../../src/kernel/index.ts';
/** A clock that stands still until told to move. */
export declare class ManualClock implements Clock {
    #private;
    constructor(now?: number);
    now(): number;
    callAt(at: number, callback: () => void): () => void;
    /** Moves on and fires what is due, in order. */
    advance(byMs: number): void;
    /** Moves to the next timer, if there is one. */
    advanceToNext(): boolean;
}
/** Lets everything that is ready run, without waiting for time. */
export declare function settle(turns?: number): Promise<void>;
