export type { EveryErrorCodeIsListed } from './error-codes.ts';
export { OpenLedger } from './ledger/open-ledger.ts';
export { Oka, type OkaOptions } from './oka.ts';
