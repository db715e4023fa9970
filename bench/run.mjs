import { afterSetup } from '../scripts/setup.mjs';

afterSetup(() => import('./run-figures.mjs').then((module) => module.runFigures(process.argv.slice(2))));
