import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstDifference, readLog } from '@callwright/turns';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runRehearse, type RehearseOptions } from './run.ts';

let folder: string;
let printed: string[];
const OPTIONS: RehearseOptions = {
  folder: '.',
  agent: undefined,
  calls: 4,
  seed: 1,
  timing: 'usual',
  only: undefined,
  save: undefined,
  json: false,
};
const SCENARIO = `
name: Keeps it
agent: appointment_reminder
variables: { callee_name: Priya, visit_day: Tuesday, visit_time: ten }
persona:
  goal: To keep the appointment.
  answers:
    - asked: [still suit you]
      says: [Yes., It does.]
expect:
  - { type: says, any_of: [see you on Tuesday] }
`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
  vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const run = (text: string, options: Partial<RehearseOptions> = {}): Promise<number> => {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, text);
  return runRehearse([file], { ...OPTIONS, ...options });
};

describe('callwright rehearse', () => {
  it('exits with 0 when every call passes', async () => {
    expect(await run(SCENARIO)).toBe(0);
    expect(printed).toEqual([
      '      4/4  Keeps it',
      'seed 1: pass^1 100.0 %, pass^2 100.0 %, pass^4 100.0 %',
    ]);
  });

  it('exits with 1, names what did not hold, and saves logs that replay', async () => {
    const saved = join(folder, 'logs');
    const code = await run(SCENARIO.replace('see you on Tuesday', 'see you on Monday'), { save: saved });
    expect(code).toBe(1);
    expect(printed[1]).toContain(
      'says: not held in 4 of 4, first in call 0: The agent did not say “see you on Monday”.',
    );
    expect(readdirSync(saved)).toHaveLength(4);
    expect(firstDifference(readLog(readFileSync(join(saved, 'call-2.jsonl'), 'utf8')))).toBe(null);
  });

  it('plays one call of the run, with both sides', async () => {
    expect(await run(SCENARIO, { only: 3 })).toBe(0);
    const text = printed.join('\n');
    expect(text).toMatch(/agent {3}Does your appointment on Tuesday at ten still suit you\?/);
    expect(text).toMatch(/caller {2}(?:Yes\.|It does\.)/);
    expect(text).toMatch(/call {4}ends: AGENT_ENDED/);
  });

  it('refuses files with the scenario, the field and the rule', async () => {
    expect(await run(SCENARIO.replace('goal: To keep the appointment.', 'goal: 3'))).toBe(1);
    expect(printed).toEqual([
      expect.stringMatching(/scenario\.yaml, Keeps it: persona\.goal must be a string$/),
    ]);
  });

  it('refuses a scenario without an agent, and an unknown agent', async () => {
    expect(await run(SCENARIO.replace('agent: appointment_reminder\n', ''))).toBe(1);
    expect(await run(SCENARIO, { agent: 'nobody' })).toBe(1);
    expect(printed).toEqual([
      'Keeps it: names no agent; add `agent` to it, or pass --agent',
      'there is no agent nobody: neither a folder of agents/ nor a template',
    ]);
  });
});
