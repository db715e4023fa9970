import { describe, expect, it, onTestFinished } from 'vitest';
import { Oka } from '../src/index.ts';
import { ManualClock } from './support/manual-clock.ts';
import { tempFolder } from './support/temp-folder.ts';

const MINUTE_MS = 60_000;

async function openOka(clock: ManualClock): Promise<Oka> {
  const oka = new Oka({ workspace: tempFolder(), home: tempFolder(), clock });
  onTestFinished(() => oka.close());
  await oka.init({ trust: true });
  return oka;
}

const pursue = (oka: Oka, goal: string) => oka.do({ goal, budgets: {}, simulate: false, patienceMs: 0 });

describe('reminders', () => {
  it('fires once, with the text as the result of its run', async () => {
    const clock = new ManualClock(Date.parse('2030-01-07T10:00:00Z'));
    const oka = await openOka(clock);
    const { output } = await pursue(oka, 'remind me in 20 minutes to call Bob');
    expect(output).toMatchObject({
      text: 'call Bob',
      running: false,
      report: expect.stringContaining('oka up'),
    });
    expect((await oka.graphs.schedules.tick({ drive: true })).fired).toEqual([]);
    clock.advance(20 * MINUTE_MS);
    const { fired, failures } = await oka.graphs.schedules.tick({ drive: true });
    expect({ fired: fired.length, failures }).toEqual({ fired: 1, failures: [] });
    expect(await oka.runs.show(fired[0]?.run ?? '')).toMatchObject({
      run: { status: 'completed' },
      output: { reminder: 'call Bob', late: false, report: 'Reminder: call Bob' },
    });
    clock.advance(400 * 24 * 60 * MINUTE_MS);
    expect((await oka.graphs.schedules.tick({ drive: true })).fired).toEqual([]);
  });

  it('fires late once after the daemon was off, and says when it was due', async () => {
    const clock = new ManualClock(Date.parse('2030-01-07T10:00:00Z'));
    const oka = await openOka(clock);
    await pursue(oka, 'remind me every day at 12:00 to eat');
    clock.advance(3 * 24 * 60 * MINUTE_MS);
    const { fired } = await oka.graphs.schedules.tick({ drive: true });
    expect(fired).toHaveLength(1);
    expect((await oka.runs.show(fired[0]?.run ?? '')).output).toMatchObject({
      late: true,
      report: expect.stringMatching(/^Reminder: eat \(it was due at 2030-01-09 12:00/),
    });
  });

  it('is listed and cancelled by its words, and a goal cancels no other schedule', async () => {
    const oka = await openOka(new ManualClock(Date.parse('2030-01-07T10:00:00Z')));
    await pursue(oka, 'remind me tomorrow at 9 to call Bob');
    await pursue(oka, 'remind me tomorrow at 10 to write to Bob');
    expect((await pursue(oka, 'list my reminders')).output).toMatchObject({
      reminders: [{ text: 'call Bob' }, { text: 'write to Bob' }],
    });
    const asked = await pursue(oka, 'cancel the reminder about Bob');
    expect(asked.run.waitingFor).toMatchObject({ what: 'answer' });
    const done = await pursue(oka, 'cancel the reminder to call Bob');
    expect(done).toMatchObject({ run: { status: 'completed' }, output: { cancelled: ['oka-reminder-1'] } });
    expect(await oka.graphs.schedules.list()).toMatchObject([
      { id: 'oka-reminder-2', graph: 'oka:reminder' },
    ]);
    const refused = await oka.tools.call({
      tool: 'reminders.cancel',
      input: { ids: ['other-1'] },
      simulate: false,
      patienceMs: 0,
    });
    expect(refused.run.failure?.code).toBe('schedule.unknown');
  });

  it('sets nothing in a simulation', async () => {
    const oka = await openOka(new ManualClock(Date.parse('2030-01-07T10:00:00Z')));
    const { run } = await oka.do({
      goal: 'remind me tomorrow at 9 to call Bob',
      budgets: {},
      simulate: true,
      patienceMs: 0,
    });
    expect(run.status).toBe('completed');
    expect(await oka.graphs.schedules.list()).toEqual([]);
  });
});
