// What the web server costs beside a bare server of the same framework, and how soon the web app can be used.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { once } from './measuring.mjs';

const requestsOf = ({ options }) => (options.quick ? 2_000 : 10_000);
const eventsOf = ({ options }) => (options.quick ? 500 : 2_000);

const group = (name, workload, countOf, unit, baseline, target) => ({
  name,
  subjects: (context) => ({ oka: once(context, 'http', workload, countOf(context)) }),
  lines: [
    {
      figure: name,
      unit,
      baseline,
      ours: ({ oka }) => oka.oursPerSecond,
      value: ({ oka }) => oka.barePerSecond,
      target,
    },
  ],
});

const web = {
  name: 'web',
  subjects: (context) => {
    const root = new URL('../', import.meta.url);
    const { bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const command = fileURLToPath(new URL(bin.oka, root));
    return {
      page: once(context, 'web', 'open', command, context.options.quick ? 3 : 9),
      files: once(context, 'web', 'files'),
    };
  },
  lines: [
    {
      figure: 'web.interactive',
      unit: 'ms',
      ours: ({ page }) => page.interactiveMs,
      target: { atMost: 500 },
    },
    { figure: 'web.script', unit: 'KB', ours: ({ files }) => files.scriptKb, target: { atMost: 130 } },
    { figure: 'web.style', unit: 'KB', ours: ({ files }) => files.styleKb, target: { atMost: 20 } },
  ],
};

export const HTTP_GROUPS = [
  group('http.requests', 'requests', requestsOf, 'requests/s', 'a bare hono server with the same answer', {
    atLeast: 0.5,
  }),
  group('http.events', 'events', eventsOf, 'events/s', 'a bare hono server with the same events, not stored'),
  web,
];
