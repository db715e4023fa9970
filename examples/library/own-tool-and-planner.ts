// A tool that needs approval, and a planner that uses what the memory store knows.
import { defineTool, Engine, MEMORY_EVIDENCE, openStores, type Planner, StateGraph } from 'oka/engine';
import * as z from 'zod';

const stores = openStores({ inMemory: true });
await stores.memory.put({ id: 'ada', namespace: 'people', text: 'ada: ada@example.org', at: Date.now() });

const outbox: string[] = [];
const send = defineTool({
  name: 'mail.send',
  description: 'Sends a message',
  input: z.object({ to: z.email(), text: z.string().min(1) }),
  output: z.object({ sentTo: z.string() }),
  // It changes something outside, and its risk is high, so the default policy asks a person.
  sideEffect: 'external_mutation',
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'high' },
  handler: ({ to, text }) => {
    outbox.push(`${to}: ${text}`);
    return { sentTo: to };
  },
});

const Recalled = z.array(z.object({ text: z.string() }));

/** A planner is a pure function of its input: it proposes the next step and has no effects. */
const planner: Planner = {
  name: 'mailer',
  version: '1',
  deterministic: true,
  plan: ({ goal, evidence }) => {
    const sent = evidence.find(({ tool }) => tool === 'mail.send');
    if (sent) return { kind: 'finish', output: sent.output ?? null, rationale: 'the message is sent' };
    const known = Recalled.safeParse(evidence.find(({ tool }) => tool === MEMORY_EVIDENCE)?.output).data;
    const to = known?.[0]?.text.split(': ')[1];
    if (to === undefined) return { kind: 'fail', reason: 'no address', rationale: 'nobody is known' };
    return {
      kind: 'call_tool',
      tool: 'mail.send',
      input: { to, text: goal },
      rationale: 'the memory store has the address',
    };
  },
};

const graph = new StateGraph({
  name: 'mailing',
  start: 'write',
  states: {
    write: { to: ['done'], tools: { names: ['mail.send'] } },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

const engine = new Engine({ ...stores, tools: [send], kinds: [{ name: 'mail', planner, graph }] });

const parked = await engine.run({ kind: 'mail', goal: 'greet ada' });
const before = outbox.length;
const [approval] = await stores.runs.approvals({ status: 'pending' });
if (approval === undefined) throw new Error('the run did not ask');
await engine.decide(approval.id, { kind: 'approve' }, 'me');
const done = await engine.resume(parked.id);

const { differences } = await engine.replayDecisions(done.id);
process.stdout.write(
  JSON.stringify({ before, asked: approval.tool, outbox, output: done.output, differences }),
);
await engine.close();
await stores.close();
