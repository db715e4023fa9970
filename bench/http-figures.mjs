// What the web server costs beside a bare server of the same framework.

import { once } from './measuring.mjs';

const requestsOf = ({ options }) => (options.quick ? 2_000 : 10_000);
const eventsOf = ({ options }) => (options.quick ? 500 : 2_000);

const group = (name, workload, countOf, unit, baseline) => ({
  name,
  subjects: (context) => ({ oka: once(context, 'http', workload, countOf(context)) }),
  lines: [
    {
      figure: name,
      unit,
      baseline,
      ours: ({ oka }) => oka.oursPerSecond,
      value: ({ oka }) => oka.barePerSecond,
    },
  ],
});

export const HTTP_GROUPS = [
  group('http.requests', 'requests', requestsOf, 'requests/s', 'a bare hono server with the same answer'),
  group('http.events', 'events', eventsOf, 'events/s', 'a bare hono server with the same events, not stored'),
];
