import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeVendor } from '@callwright/stand-ins';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runRehearse, type RehearseOptions } from '../../../src/cli/rehearse/run.ts';
import { CALLER_MODEL, startCallerModel } from '../../helpers/rehearsals/caller-model.ts';

const OPTIONS: RehearseOptions = {
  folder: '.',
  agent: undefined,
  agentVersion: undefined,
  against: undefined,
  url: 'http://127.0.0.1:1',
  key: undefined,
  calls: 6,
  seed: 1,
  timing: 'usual',
  sound: false,
  atOnce: 10,
  recogniser: 'phrases',
  only: undefined,
  maxCost: undefined,
  lines: undefined,
  save: undefined,
  json: true,
};
const SCENARIO = {
  name: 'Keeps it',
  agent: 'appointment_reminder',
  variables: { callee_name: 'Priya', visit_day: 'Tuesday', visit_time: 'ten' },
  persona: { lines: 'model', goal: 'To keep the appointment.', most_turns: 8 },
  expect: [{ type: 'says', any_of: ['see you on Tuesday'] }],
};
const PRICES = `currency: EUR
prices:
  - { part: llm, vendor: openai-compatible, model: ${CALLER_MODEL}, per_million_input_tokens: 1, per_million_output_tokens: 1 }
`;

let vendor: FakeVendor;
let folder: string;
let printed: string[];
beforeAll(async () => {
  vendor = await startCallerModel([{ to: 'still suit you', say: 'Yes, it suits me fine.' }]);
});
afterAll(() => vendor.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
  printed = [];
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line) => void printed.push(String(line)));
  vi.stubEnv('PRICES_FILE', join(folder, 'prices.yaml'));
  writeFileSync(join(folder, 'prices.yaml'), PRICES);
  setModel(CALLER_MODEL);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const setModel = (model: string): void => {
  vi.stubEnv('LLM_BASE_URL', `${vendor.baseUrl}/v1`);
  vi.stubEnv('LLM_MODEL', model);
};
const withoutModel = (): void => {
  vi.stubEnv('LLM_BASE_URL', undefined);
  vi.stubEnv('LLM_MODEL', undefined);
};
const run = (options: Partial<RehearseOptions> = {}): Promise<number> => {
  const file = join(folder, 'scenario.json');
  writeFileSync(file, JSON.stringify(SCENARIO));
  printed = [];
  return runRehearse([file], { ...OPTIONS, ...options });
};
const result = () => JSON.parse(printed[0]!) as Record<string, any>;

describe('callwright rehearse with callers by a model', () => {
  it('has them say what the model words, and counts lines and cost', async () => {
    expect(await run()).toBe(0);
    const { scenarios, lines, cost, stopped_by: stopped } = result();
    expect(scenarios).toMatchObject([{ calls: 6, passed: 6 }]);
    expect(lines.byModel).toBeGreaterThanOrEqual(6);
    expect(cost.currency).toBe('EUR');
    expect(cost.cost).toBeGreaterThan(0);
    expect(stopped).toBeNull();
  });

  it('plays the recorded run again without a model, and the same', async () => {
    const lines = join(folder, 'lines.jsonl');
    await run({ lines });
    const { scenarios, interaction } = result();
    const recorded = readFileSync(lines, 'utf8');
    withoutModel();
    expect(await run({ lines })).toBe(0);
    expect(result()).toMatchObject({ scenarios, interaction, cost: null });
    expect(readFileSync(lines, 'utf8')).toBe(recorded);
    expect(await run({ lines, only: 3 })).toBe(0);
    expect(printed.join('\n')).toContain('Yes, it suits me fine.');
    writeFileSync(lines, 'not a line\n');
    expect(await run({ lines })).toBe(1);
    expect(printed.join('\n')).toContain('lines.jsonl, line 1: is no recorded line');
  });

  it('says what is missing where no model is set', async () => {
    withoutModel();
    expect(await run()).toBe(1);
    expect(printed.join('\n')).toContain('a model words the callers of these scenarios, and none is set');
  });

  it('begins no call that could pass --max-cost', async () => {
    await run();
    const whole = result()['cost'].cost as number;
    // A call costs less than it could; this covers the dearest course of a first call, and not those of all.
    const most = 0.06;
    expect(await run({ maxCost: most, calls: 200 })).toBe(0);
    const { scenarios, cost, stopped_by: stopped } = result();
    expect(stopped).toBe('max_cost');
    expect(cost.cost).toBeLessThanOrEqual(most);
    expect(cost.cost).toBeGreaterThan(whole / 6);
    expect(scenarios[0].calls).toBeGreaterThan(0);
    expect(scenarios[0].calls).toBeLessThan(200);
    expect(await run({ maxCost: 0.000_001 })).toBe(1);
    expect(printed.join('\n')).toContain('--max-cost does not cover one call');
    setModel('another-model');
    expect(await run({ maxCost: 1 })).toBe(1);
    expect(printed.join('\n')).toContain('needs a price of another-model');
  });

  it('is refused by sound', async () => {
    expect(await run({ sound: true })).toBe(1);
    expect(printed.join('\n')).toContain('by text alone');
  });
});
