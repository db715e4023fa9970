import { describe, expect, it, onTestFinished } from 'vitest';
import { repetition } from '../src/agent/procedures/reminder-words.ts';
import { showStatus } from '../src/cli/show-status.ts';
import { Oka } from '../src/index.ts';
import { nextFirings, parseCron } from '../src/schedule/index.ts';
import { readMoment } from '../src/tools/time/read-moment.ts';
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

describe('what oka status shows of reminders', () => {
  const base = { misfire: 'one', overlap: 'allow', dst: 'run_after', enabled: true, zone: 'UTC' } as const;
  const item = (id: string, text: string, rest: object) =>
    ({ ...base, id, graph: 'oka:reminder', cron: '0 9 * * *', input: { text }, next: [], ...rest }) as never;
  const colors = new Proxy({}, { get: () => (text: string) => text }) as never;
  const facts = {
    folder: 'garden',
    now: 1_700_000_000_000,
    running: [],
    waiting: [],
    parked: [],
    interrupted: [],
    agents: [],
  };

  it('shows fired ones until they are cancelled, and the next one, apart from schedules', () => {
    const schedules = [
      item('a', 'call Bob', { lastFiredAt: facts.now - 5 * 86_400_000 }),
      item('b', 'eat', { lastFiredAt: facts.now - 2 * 86_400_000, next: [facts.now + MINUTE_MS] }),
    ];
    const text = showStatus({ ...facts, schedules }, colors);
    expect(text).toMatch(/schedules +0\n +reminders +2 +call Bob \(came .*\) · next: eat /);
    expect(text).not.toContain('eat (came');
    expect(showStatus({ ...facts, schedules: [] }, colors)).not.toContain('reminders');
  });
});

describe('times in words', () => {
  const now = new Date(2030, 0, 7, 10, 0).getTime();
  it.each([
    ['tomorrow at 9', new Date(2030, 0, 8, 9, 0), true],
    ['in 20 minutes', new Date(2030, 0, 7, 10, 20), true],
    ['at 9', new Date(2030, 0, 8, 9, 0), true],
    ['on Friday at 17:30', new Date(2030, 0, 11, 17, 30), true],
    ['24 December', new Date(2030, 11, 24, 12, 0), false],
    ['Christmas', new Date(2030, 11, 25, 12, 0), false],
  ])('reads %s', (words, at, hasTime) => {
    expect(readMoment(words, now)).toEqual({ at: at.getTime(), hasTime });
  });
  it.each(['the harvest', 'tomorrow or so', '3/4', '', 'from Monday to Friday'])(
    'does not guess %j',
    (words) => {
      expect(readMoment(words, now)).toBeUndefined();
    },
  );
  it.each([
    ['every Monday at 8', '0 8 * * 1'],
    ['every monday and thursday at 8:30', '30 8 * * 1,4'],
    ['every day at 7am', '0 7 * * *'],
    ['on weekdays at 5pm', '0 17 * * 1-5'],
    ['every 15 minutes', '*/15 * * * *'],
    ['every month', null],
    ['every 7 minutes', null],
    ['every day at dawn', null],
    ['tomorrow at 9', undefined],
  ])('repeats %s', (words, cron) => {
    const found = repetition(words);
    expect(found ? found.cron : found).toBe(cron);
  });
  it('reads an expression for a single time, which fires once', () => {
    expect(nextFirings('@at 2030-01-31T08:00', 'Europe/Berlin', now, 3)).toEqual([
      Date.parse('2030-01-31T07:00:00Z'),
    ]);
    expect(nextFirings('@at 2030-01-31T08:00', 'UTC', Date.parse('2030-01-31T08:00:00Z'), 3)).toEqual([]);
    expect(() => parseCron('@at 2030-13-31T08:00')).toThrow('no such date');
  });
});
