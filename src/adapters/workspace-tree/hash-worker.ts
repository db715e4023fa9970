// The entry point of a worker thread that hashes files. The build bundles it as dist/hash-worker.js.
import { parentPort } from 'node:worker_threads';
import { type HashRequest, hashFiles } from './hash-files.ts';

parentPort?.on('message', (request: HashRequest) => {
  parentPort?.postMessage({ hashed: hashFiles(request) });
});
