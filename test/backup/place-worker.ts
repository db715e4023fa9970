// Puts a staged workspace in place and is killed (SIGKILL) between the two renames of that: `<staged> <folder>`.
import { placeWorkspace } from '../../src/adapters/backup/index.ts';

const [staged = '', folder = ''] = process.argv.slice(2);
placeWorkspace({ staged, folder, now: 0, lastCheck: () => process.kill(process.pid, 'SIGKILL') });
