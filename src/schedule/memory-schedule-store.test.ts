import { scheduleKit } from './schedule-kit.conformance.ts';
import { scheduleStoreConformance } from './schedule-store.conformance.ts';

scheduleStoreConformance('MemoryScheduleStore', () => scheduleKit('2026-01-01T00:00:00Z'));
