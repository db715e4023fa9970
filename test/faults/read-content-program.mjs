// Prints all that Oka reads in a workspace, as one line of JSON. Arguments: address of the built runtime, workspace, user
// folder. Credentials are read here because the command line shows their values on a terminal only.
import { ROOM } from './write-items.mjs';

const [runtime, workspace, home] = process.argv.slice(2);
const { Oka } = await import(runtime);
const oka = new Oka({ workspace, home });

const events = [];
for await (const line of oka.ledger.export()) events.push(line);
const texts = (items) => items.map((item) => JSON.stringify(item));
const schedules = await oka.graphs.schedules.list();
const content = {
  events,
  runs: texts(await oka.runs.list({ limit: 1000 })),
  facts: texts(await oka.memory.listFacts({ all: true, limit: 1000 })),
  messages: texts((await oka.chat.view({ conversation: ROOM })).messages),
  approvals: texts(await oka.approvals.list({})),
  // The next times of a schedule depend on the current time.
  schedules: texts(schedules.map(({ next: _, ...schedule }) => schedule)),
  credentials: {},
};
for (const { name } of (await oka.vault.list()).credentials)
  content.credentials[name] = await oka.vault.reveal(name, 'test').catch((error) => error.code);
await oka.close();
process.stdout.write(JSON.stringify(content));
