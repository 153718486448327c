import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstDifference, readLog } from '@callwright/turns';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runFromCall } from './from-call.ts';
import { runFromAgent, runRehearse, type RehearseOptions } from './run.ts';

let folder: string;
let printed: string[];
const OPTIONS: RehearseOptions = {
  folder: '.',
  agent: undefined,
  agentVersion: undefined,
  against: undefined,
  url: 'http://127.0.0.1:1',
  key: undefined,
  calls: 4,
  seed: 1,
  timing: 'usual',
  sound: false,
  atOnce: 10,
  recogniser: 'phrases',
  only: undefined,
  save: undefined,
  maxCost: undefined,
  lines: undefined,
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
      expect.stringMatching(/^ {2}100\.0 % {2}of the turns are answered, after \d+ ms$/),
      '    0.0 %  of the turns are talked over',
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

  it('prints a scenario from the log of a failed call', async () => {
    const saved = join(folder, 'logs');
    await run(SCENARIO.replace('see you on Tuesday', 'see you on Monday'), { save: saved });
    printed = [];
    const options = { agent: 'appointment_reminder', url: 'http://127.0.0.1:1', key: undefined };
    expect(await runFromCall(join(saved, 'call-1.jsonl'), options)).toBe(0);
    const text = printed.join('\n');
    expect(text).toMatch(/^- name: call-1\n {2}agent: appointment_reminder\n/);
    expect(text).toContain('Does your appointment on Tuesday at ten still suit you?');
    expect(await runFromCall('a-call', options)).toBe(2);
  });

  it('prints scenarios for the ways through a flow, which pass', async () => {
    expect(await runFromAgent({ ...OPTIONS, agent: 'survey' })).toBe(0);
    const text = printed.join('\n');
    printed = [];
    expect(await run(text, { calls: 10 })).toBe(0);
    expect(await runFromAgent({ ...OPTIONS, agent: 'nobody' })).toBe(1);
  });

  it('compares the agents of two folders on the same calls', async () => {
    const agent = (name: string, goodbye: string): string => {
      const own = join(folder, name);
      mkdirSync(join(own, 'agents/desk'), { recursive: true });
      writeFileSync(
        join(own, 'agents/desk/agent.yaml'),
        'name: Desk\ntype: outbound\nlanguage: en-US\nintro_message: City Dental.\n',
      );
      const flow = {
        start: 'suits',
        nodes: [
          {
            id: 'suits',
            type: 'choose',
            ask: 'Does Tuesday still suit you?',
            answers: [{ name: 'yes' }, { name: 'no' }],
            edges: [
              { to: 'end', answer: 'yes' },
              { to: 'end', answer: 'no' },
              { to: 'end', on: 'failed' },
            ],
          },
          { id: 'end', type: 'end', say: goodbye },
        ],
      };
      writeFileSync(join(own, 'agents/desk/flow.yaml'), JSON.stringify(flow));
      return own;
    };
    const good = agent('good', 'See you on Tuesday.');
    const bad = agent('bad', 'See you on Monday.');
    const with8 = { agent: 'desk', calls: 8 };
    expect(await run(SCENARIO, { ...with8, folder: good, against: good })).toBe(0);
    expect(printed.at(-1)).toBe('Not worse than before, at 95 %.');
    expect(await run(SCENARIO, { ...with8, folder: bad, against: good })).toBe(1);
    expect(printed.slice(-6)).toEqual([
      'The same 8 calls with both versions',
      expect.stringMatching(/^ {2}passed {3}100\.0 % before, 0\.0 % now: -100\.0 /),
      expect.stringMatching(/^ {2}alarms {3}0\.0 % before, 0\.0 % now: \+0\.0 /),
      expect.stringMatching(/^ {2}replies {2}\+0 ms/),
      '  calls that failed only now: 0, 1, 2, 3, 4, 5, 6, 7',
      'Worse: 8 calls failed that passed before, 0 the other way.',
    ]);
    expect(await run(SCENARIO, { ...with8, folder: good, against: 'v3' })).toBe(1);
    expect(printed.at(-1)).toMatch(/^v3 is no folder with agents/);
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
