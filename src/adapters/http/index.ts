export { openHostProxy } from './host-proxy.ts';
export { PinnedHttp } from './pinned-http.ts';
