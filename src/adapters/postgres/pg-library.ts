// pg and pgpass are CommonJS. A bundle keeps their names only if a module imports them statically, so that module is what is loaded lazily.
export { Client, Pool, types } from 'pg';
export { default as findPassword } from 'pgpass';
