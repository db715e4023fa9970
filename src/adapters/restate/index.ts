export { Deployments, registerWorker } from './deployments.ts';
export { Ingress } from './ingress.ts';
export { projectTarget, schedulesTarget, workersTarget } from './names.ts';
export type { ClusterErrorCode, ClusterProject, DriveOutcome, Mailbox, OpenWork } from './ports.ts';
export { workerKey } from './proofs.ts';
export { RestateExecutionBackend } from './restate-backend.ts';
export {
  type Announcement,
  type Fingerprint,
  HEARTBEAT_MS,
  LOST_MS,
  type Verdict,
} from './worker-register.ts';
export { WorkerServer } from './worker-server.ts';
