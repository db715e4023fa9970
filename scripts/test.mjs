import { afterSetup } from './setup.mjs';

afterSetup(() => import('./run-tests.mjs').then((module) => module.runTests(process.argv.slice(2))));
