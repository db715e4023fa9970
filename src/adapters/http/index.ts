export type { ResolveName } from './pinned-address.ts';
export { PinnedHttp, type PinnedHttpOptions } from './pinned-http.ts';
