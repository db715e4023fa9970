// undici is CommonJS. A bundle keeps its names only if a module imports them statically, so that module is what is loaded lazily.
export { Agent, request } from 'undici';
