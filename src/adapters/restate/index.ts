export { Ingress } from './ingress.ts';
export { projectTarget, schedulesTarget } from './names.ts';
export type { ClusterErrorCode, ClusterProject, DriveOutcome, Mailbox, OpenWork } from './ports.ts';
export { RestateExecutionBackend } from './restate-backend.ts';
export { registerWorker, WorkerServer } from './worker-server.ts';
