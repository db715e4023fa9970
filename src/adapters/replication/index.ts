export { checkHttpUrl, checkPostgresUrl, checkSchema } from './check-target.ts';
export { HttpSink } from './http-sink.ts';
export { PostgresSink } from './postgres-sink.ts';
export { type RecordedReplication, ReplicationRecord } from './replication-record.ts';
