import { describe, expect, it } from 'vitest';
import { NEW_FACT, type Story } from './act-as-person.ts';
import { classify } from './classify.ts';
import type { Step } from './run-oka.ts';
import type { WorkspaceContent } from './workspace-content.ts';

const BLOB = 'objects/ab/cdef';
const TRUTH: WorkspaceContent = {
  events: ['{"seq":1}', '{"seq":2}'],
  runs: [],
  facts: [],
  messages: [],
  approvals: [],
  schedules: [],
  credentials: { service: 'secret' },
  blobs: new Map([[BLOB, Buffer.from('content')]]),
};
const END: WorkspaceContent = { ...TRUTH, facts: [JSON.stringify({ text: NEW_FACT })] };
const ADDED: Step = { command: 'oka memory fact add', exitCode: 0, stdout: '', stderr: '' };
const VERIFIED: Step = { command: 'oka ledger verify --full', exitCode: 0, stdout: '', stderr: '' };
const ALARM: Step = { ...VERIFIED, exitCode: 7, stdout: '"repair":"oka ledger repair"' };
const REPAIR: Step = { command: 'oka ledger repair', exitCode: 0, stdout: '', stderr: '' };

const story = (...steps: readonly Step[]): Story => ({ steps, changedByVerify: [] });
const outcome = (told: Story, end: WorkspaceContent = END) => classify(told, TRUTH, end).outcome;

describe('damage is', () => {
  it('harmless when nothing was reported and nothing is missing', () => {
    expect(outcome(story(VERIFIED, ADDED, VERIFIED))).toBe('harmless');
  });

  it('healed forward when the writing command reported it', () => {
    const healed = { ...ADDED, stderr: '! Recovered 3 events from run_ledger.jsonl.' };
    expect(outcome(story(ALARM, healed, VERIFIED))).toBe('healed forward');
  });

  it('repaired when the named command was run and nothing is missing', () => {
    expect(outcome(story(ALARM, ADDED, ALARM, REPAIR, VERIFIED))).toBe('repaired');
  });

  it('a named loss when a command named what is missing', () => {
    const named = { ...ALARM, stdout: 'blob abcdef is missing' };
    expect(outcome(story(named, ADDED, named, REPAIR, VERIFIED), { ...END, blobs: new Map() })).toBe(
      'loss named',
    );
  });
});

describe('a campaign fails when', () => {
  it.each<[string, Partial<WorkspaceContent>]>([
    ['an event', { events: ['{"seq":1}'] }],
    ['a blob', { blobs: new Map([[BLOB, Buffer.from('other')]]) }],
    ['a credential', { credentials: { service: 'older secret' } }],
    ['the new fact', { facts: [] }],
  ])('%s is lost without a report', (_, lost) => {
    expect(outcome(story(VERIFIED, ADDED, VERIFIED), { ...END, ...lost })).toBe('FAILED');
  });

  it.each<[string, Story]>([
    ['a command hangs', story({ command: 'oka ledger verify', stdout: '', stderr: '' }, ADDED, VERIFIED)],
    [
      'a command does not know its error',
      story({ ...ALARM, stderr: '✗ oops (cli.unexpected)' }, ADDED, VERIFIED),
    ],
    ['a stack trace is printed', story({ ...VERIFIED, stderr: '    at f (file.js:1:2)\n' }, ADDED, VERIFIED)],
    ['the repair does not end in a verified workspace', story(ALARM, ADDED, REPAIR, ALARM)],
    ['an alarm passes without a repair', story(ALARM, ADDED, VERIFIED)],
    ['verify changes a file', { ...story(VERIFIED, ADDED, VERIFIED), changedByVerify: ['oka.db'] }],
  ])('%s', (_, told) => {
    expect(outcome(told)).toBe('FAILED');
  });
});
