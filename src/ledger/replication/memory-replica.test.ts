import { MemoryReplica } from './memory-replica.ts';
import { replicaSinkConformance } from './replica-sink.conformance.ts';
import { NOTES } from './replication-kit.conformance.ts';

replicaSinkConformance('the replica in memory', () => new MemoryReplica([NOTES]));
