export { HttpSink } from './http-sink.ts';
export { checkHttpUrl } from './http-url.ts';
export { PostgresSink } from './postgres-sink.ts';
export { checkPostgresUrl, checkSchema } from './postgres-url.ts';
export { type RecordedReplication, ReplicationRecord } from './replication-record.ts';
