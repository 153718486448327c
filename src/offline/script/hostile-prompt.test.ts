import { describe, expect, it } from 'vitest';
import { expectedAnswer } from '@callwright/language';
import { compile } from './compile.ts';
import { markPlaces } from './tools.ts';
import { wordingFor } from './wording.ts';

const MS = 1_500;

/** The processor time of `work` in milliseconds: other work on the machine does not count. */
function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** 40,000 characters each, the most that a prompt may have. */
const PROMPTS: Readonly<Record<string, string>> = {
  blanks: `Ask${' '.repeat(39_000)}x`,
  'blanks at line ends': `to${' '.repeat(1_900)}x\n`.repeat(20),
  'line breaks': `If not${'\n'.repeat(39_000)}x`,
  marks: `Say hello${'.!,'.repeat(13_000)}x`,
  'equal marks': `Say hello${'?'.repeat(39_000)}x`,
  brackets: '( or '.repeat(8_000),
  orders: 'ask for the '.repeat(3_300),
  questions: 'what is the '.repeat(3_300),
  conditions: `if they ${'if a '.repeat(7_900)}`,
  places: '{{ '.repeat(13_000),
};

describe('hostile prompts', () => {
  it.each(Object.entries(PROMPTS))('compiles a prompt of %s in bounded time', (_name, prompt) => {
    const wording = wordingFor('en-US');
    const spent = processorMs(() => {
      compile({
        prompt: markPlaces(prompt, ['x']),
        sections: [{ title: 'Conversation Script', content: prompt }],
        introMessage: prompt.slice(0, 4000),
        agentName: 'A',
        wording,
      });
    });
    expect(spent).toBeLessThan(MS);
  });

  it('finds no variable in an opening brace and 40,000 blanks, in bounded time', () => {
    expect(processorMs(() => markPlaces(`{{${' '.repeat(40_000)}`, ['x']))).toBeLessThan(MS);
    expect(markPlaces('{{ x }} {{\ty\n}} {{}}', ['x', 'y'])).toBe('⟪0⟫ ⟪1⟫ {{}}');
  });

  it.each(['rate one ', 'could you ', 'between a ', 'what is '])(
    'reads the expected answer of a long question of "%s" in bounded time',
    (piece) => {
      expect(processorMs(() => expectedAnswer(piece.repeat(4_000 / piece.length)))).toBeLessThan(MS);
    },
  );
});
