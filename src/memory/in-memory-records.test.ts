import { memoryKit } from './memory-kit.conformance.ts';
import { memoryRecordsConformance } from './memory-records.conformance.ts';

memoryRecordsConformance('InMemoryRecords', () => memoryKit());
