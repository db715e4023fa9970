export type { EveryErrorCodeIsListed } from './error-codes.ts';
export { Oka, type OkaOptions } from './oka.ts';
export { OpenLedger } from './open-ledger.ts';
