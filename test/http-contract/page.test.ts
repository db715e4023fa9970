// docs/formats/http.md is made from the routes. After a change, write it again with:
// npx vitest run --project test test/http-contract -u

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HTTP_ROUTES, type HttpRoute } from '../../src/api/http-routes.ts';
import { SERVER_PATHS } from '../../src/api/server-paths.ts';
import { root } from '../checkout.ts';

const INTRODUCTION = `# The HTTP API

The daemon of a workspace listens on 127.0.0.1, on a free port or on the setting \`web.port\`. The web app uses this API, and so can
programs of the same user. Every route is an operation of Oka with the same rules as on the command line; \`GET /v1/openapi.json\`
describes all of them as OpenAPI 3.1, from which clients can be generated.

## Authentication

| caller | sends | may call |
|---|---|---|
| program | \`Authorization: Bearer <token>\`; the token and the port are in \`<socket>.web.json\` (mode 0600, see [daemon.md](daemon.md)) | the routes marked \`token\` |
| browser | the cookie that \`oka web\` obtains with a one-time link | every route |

Routes marked \`browser\` act as the person at the machine: they approve, trust, grant, or change models, MCP servers, schedules and
graph files. A token gets 403 \`http.browser_only\` there. \`Host\` must be the address of the server; \`Origin\` and \`Sec-Fetch-Site\`, if
sent, must be of the same origin. There is no CORS.

\`GET /v1/session\` names the workspace, or answers 401. \`GET /metrics\` exists only with [\`telemetry.prometheus\`](../guides/telemetry.md#prometheus).

## Requests

Path parameters are arguments of the operation. \`GET\` and \`DELETE\` take the other fields as query parameters; a list is a parameter
given several times. \`POST\` and \`PUT\` take a JSON object of at most 1 MB. Unknown fields are refused. Fields may be left out if they
have a default, such as \`by\` (\`web\`) and \`limit\` (100).

An id may be shortened as on the command line: its last characters, \`last\` or \`@2\`.

## Answers

200 with JSON; 204 if there is nothing to return. Routes that drive a run, marked ↻, answer 202 with the run as soon as it is recorded,
and the run continues; they answer 200 if it has ended or waits before that. Follow it with \`GET /v1/events\`.

What a person should know of, such as missing events, is in the header \`oka-warnings\`: a JSON list of \`{ "code", "message" }\`.

A start of a run (\`POST /v1/runs\`, \`…/graphs/{graph}/run\`, \`…/runs/{run}/rerun\`, \`…/tools/{tool}/call\`) takes the header
\`Idempotency-Key\` (or the field \`key\`, 1 to 255 characters). The same key and the same request get the same run, also when it has
finished; another request with that key is answered 409 with \`engine.key_reused\`. Other routes refuse the header.

Times are epoch milliseconds. Fields are added, never removed.

## Errors

Errors are \`application/problem+json\`:

\`\`\`json
{
  "status": 404,
  "type": "urn:oka:error:engine.unknown_run",
  "title": "Not found",
  "detail": "There is no run \\"x\\". See: oka runs list.",
  "code": "engine.unknown_run",
  "data": { "run": "x" }
}
\`\`\`

\`detail\` says what failed and what to do next. Match on \`code\`, which never changes.

| status | when |
|---|---|
| 400 | a field is missing, unknown or invalid (\`http.bad_request\`; \`data.field\` names it) |
| 401, 403 | the caller has no session or token, or may not do this |
| 404 | the thing or the route does not exist |
| 409 | the thing has changed or is in another state, such as a decided approval |
| 413, 415 | the body is too large, or is not JSON |
| 422 | the request is valid, but cannot be done |
| 500 | an error of Oka, or damaged data |
| 503 | busy or not reachable now; try again |

## Pages

Lists that grow are paged: \`?limit=100\` answers \`{ "items": […], "next": "…" }\`; \`?limit=100&cursor=<next>\` is the page after it. The last
page has no \`next\`. A cursor stays valid; what is recorded meanwhile does not move the pages.

## Events

\`GET /v1/events?after=<position>&run=<id>&conversation=<name>&kind=<kind,kind>\` streams the ledger as server-sent events:

| event | data |
|---|---|
| \`ready\` | \`{ position }\`, first: the stream is complete after this position |
| \`ledger\` | \`{ position, stream, type, at, run?, root?, conversation?, data }\`; its \`id\` is the position |
| \`text\` | \`{ run?, conversation?, turn?, text }\`: pieces of a model's answer; not stored, without an \`id\` |

\`run\` selects the run, its descendants and a run that continues it. \`Last-Event-ID\` resumes without a gap. A client that leaves more
than 1 MB unread is disconnected and resumes. The server has at most 256 streams; more get 503 \`http.too_many_streams\`.
\`GET /v1/events/list\` has the same records as pages.

## Saving graphs

\`GET /v1/graphs/{graph}\` answers with a \`revision\`, which identifies the content of the file. \`PUT /v1/graphs/{graph}\` takes the
revision that was edited and answers 409 \`graph.changed\` if the file has another one. The replaced version is kept. A new graph is
saved without a revision.

## Routes
`;

/** The area of a route: the first part of its path. */
const areaOf = (path: string): string => path.split('/')[2] as string;

function row({ method, path, operation, summary, access, background }: HttpRoute): string {
  return `| \`${method} ${path}\` | ${summary}${background ? ' ↻' : ''} | \`${operation}\` | ${access} |`;
}

test('the page of the HTTP API lists every route', async () => {
  const own = Object.entries(SERVER_PATHS).map(
    ([path, { get }]) => `| \`GET ${path}\` | ${get.summary} | | token |`,
  );
  const areas = [...new Set(HTTP_ROUTES.map(({ path }) => areaOf(path)))];
  const rows = areas.flatMap((area) => HTTP_ROUTES.filter(({ path }) => areaOf(path) === area).map(row));
  const table = ['| route | | operation | access |', '|---|---|---|---|', ...own, ...rows].join('\n');
  const page = `${INTRODUCTION}\n${table}\n`;
  await expect(page).toMatchFileSnapshot(join(root, 'docs', 'formats', 'http.md'));
});
