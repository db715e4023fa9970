export { PinnedHttp } from './pinned-http.ts';
