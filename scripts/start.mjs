import { afterSetup } from './setup.mjs';

// In this very process, so that terminal, exit code and signals are the command's own.
afterSetup(() => {
  process.argv.splice(2, 0, 'start');
  return import('../bin/oka.cjs');
});
