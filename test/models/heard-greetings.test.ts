import { beforeAll, describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { humanPrompts } from '../helpers/audio/human-prompts.ts';
import { greetingJudge, type JudgedGreeting, type JudgeGreeting } from '../helpers/audio/judge-greeting.ts';

/** What machines say with a person's voice, by the names of Asterisk's prompts. The rules for `vm-nobodyavail`, `vm-helpexit` and the last three of `hold` were written after them. */
const MACHINES = {
  voicemail: ['vm-intro', 'vm-nobodyavail'],
  screening: ['priv-recordintro'],
  hold: [
    'queue-periodic-announce',
    'tt-allbusy',
    'queue-youarenext',
    'pls-hold-while-try',
    'transfer',
    'vm-dialout',
  ],
  ivr: ['dir-instr', 'vm-helpexit', 'vm-forward'],
} as const;

let judged: JudgeGreeting;
beforeAll(async () => {
  prompts = new Map(humanPrompts().map((prompt) => [prompt.name, prompt.pcm]));
  judged = await greetingJudge(process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data'));
});

let prompts: ReadonlyMap<string, Int16Array>;
function promptOf(name: string): Int16Array {
  const pcm = prompts.get(name);
  if (pcm === undefined) throw new Error(`${name} is no prompt`);
  return pcm;
}

describe('what this machine hears of greetings', () => {
  it('by a machine with a person’s voice is taken for what it is', async () => {
    const rows: ({ name: string; is: string } & JudgedGreeting)[] = [];
    for (const [is, names] of Object.entries(MACHINES)) {
      for (const name of names) {
        rows.push({ name, is, ...(await judged(promptOf(name))) });
      }
    }
    expect(rows.map(({ name, kind }) => [name, kind])).toEqual(rows.map(({ name, is }) => [name, is]));
  });

  it('by a person is never taken for a machine', async () => {
    const some = callerLines().filter((_, at) => at % 4 === 0);
    const taken: [string, string][] = [];
    for (const { text, pcm } of some) taken.push([(await judged(pcm)).kind, text]);
    expect(taken.length).toBeGreaterThanOrEqual(10);
    expect(taken.filter(([kind]) => kind !== 'human' && kind !== 'unsure')).toEqual([]);
  });
});
