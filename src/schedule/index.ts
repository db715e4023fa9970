export {
  addSchedule,
  deleteSchedule,
  disableSchedule,
  enableSchedule,
  getSchedule,
  type NewSchedule,
  type ScheduleParts,
} from './change-schedule.ts';
export { parseCron } from './cron.ts';
export { MemoryScheduleStore } from './memory-schedule-store.ts';
export { firingsBetween, nextFirings } from './occurrences.ts';
export { firingId, GRACE_MS, MAX_CATCH_UP, planTick, type TickAction, type TickState } from './plan-tick.ts';
export { nextWake } from './planned-firings.ts';
export type { FiringRequest, FiringTarget, ScheduleStore } from './ports.ts';
export { runScheduleLoop, type ScheduleLoopParts } from './run-schedule-loop.ts';
export {
  type ScheduleEventBodies,
  type ScheduleEventData,
  type ScheduleEventType,
  scheduleStream,
} from './schedule-events.ts';
export { scheduleProjection } from './schedule-projection.ts';
export { toFiring, toSchedule } from './schedule-rows.ts';
export { type FiredRun, Scheduler, type TickReport } from './scheduler.ts';
export type {
  DstPolicy,
  Firing,
  FiringReason,
  MisfirePolicy,
  OverlapPolicy,
  QueuedFiring,
  Schedule,
  ScheduleErrorCode,
  SchedulePolicies,
  ScheduleTrigger,
  SkipReason,
} from './types.ts';
export {
  listSchedules,
  type ScheduleView,
  type SkippedFirings,
  viewFiring,
  viewSchedule,
} from './view-schedule.ts';
export { checkZone, formatInZone } from './zone-clock.ts';
