import { beforeAll, describe, expect, it } from 'vitest';
import { initialAnswer, stepAnswer, type AnsweredBy } from '@callwright/turns';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { wholeDecoder, type WholeWords } from '../helpers/audio/decode-whole.ts';
import { humanPrompts } from '../helpers/audio/human-prompts.ts';
import { overG711 } from '../helpers/audio/spoken-line.ts';

/** What machines say with a person's voice, by the names of Asterisk's prompts, on which no rule was tuned. */
const MACHINES = {
  voicemail: ['vm-intro', 'vm-nobodyavail'],
  screening: ['priv-recordintro'],
  hold: [
    'queue-periodic-announce',
    'pls-hold-while-try',
    'tt-allbusy',
    'queue-youarenext',
    'transfer',
    'vm-dialout',
  ],
  ivr: ['dir-instr', 'vm-helpexit', 'vm-forward'],
} as const;

let decode: (pcm: Int16Array) => WholeWords;
beforeAll(() => {
  const folder = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
  const model = earModels((id) => installedModel(folder, id))('en-US');
  if (model === null) throw new Error(`${folder} holds no recogniser: run callwright models get`);
  decode = wholeDecoder(model);
});

const PICK_UP_MS = 400;

/** Who answered, by the words that this machine hears of a greeting. */
function judged(pcm: Int16Array): { kind: AnsweredBy['kind'] | 'none'; heard: string } {
  const { text, words } = decode(overG711(pcm));
  const endMs = PICK_UP_MS + pcm.length / 8;
  let state = initialAnswer({ message: 'Call us.', introduction: 'This is Maya.' }, 0);
  const step = (event: Parameters<typeof stepAnswer>[1]): void => {
    ({ state } = stepAnswer(state, event));
  };
  let told = 0;
  let isOver = false;
  step({ type: 'speech_started', since: PICK_UP_MS, at: PICK_UP_MS + 60 });
  for (let at = PICK_UP_MS + 80; at <= endMs + 2500; at += 20) {
    const until = words.filter(({ endMs: end }) => PICK_UP_MS + end + 200 <= at).length;
    if (until > told && until < words.length) {
      told = until;
      const partial = words.slice(0, until).map(({ text: word }) => word);
      step({ type: 'words', text: partial.join(' '), isFinal: false, at });
    }
    if (!isOver && at >= endMs + 80) {
      isOver = true;
      step({ type: 'speech_stopped', since: endMs, at });
      step({ type: 'words', text, isFinal: true, at: at + 10 });
    }
    step({ type: 'tick', at });
  }
  return { kind: state.answered?.kind ?? 'none', heard: text };
}

describe('what this machine hears of greetings', () => {
  it('by a machine with a person’s voice is taken for what it is, or left open', () => {
    const prompts = new Map(humanPrompts().map((prompt) => [prompt.name, prompt.pcm]));
    const rows = Object.entries(MACHINES).flatMap(([is, names]) =>
      names.map((name) => {
        const pcm = prompts.get(name);
        if (pcm === undefined) throw new Error(`${name} is no prompt`);
        return { name, is, ...judged(pcm) };
      }),
    );
    const right = rows.filter(({ is, kind }) => is === kind).map(({ name }) => name);
    console.log(`${right.length} of ${rows.length} are taken for what they are: ${right.join(', ')}`);
    expect(right).toEqual(
      expect.arrayContaining(['vm-intro', 'queue-periodic-announce', 'tt-allbusy', 'vm-forward']),
    );
    // The others leave it open, and nothing is taken for a person or for another machine.
    const wrong = rows.filter(({ is, kind }) => kind !== is && kind !== 'unsure');
    expect(wrong).toEqual([]);
  });

  it('by a person is never taken for a machine', () => {
    const some = callerLines().filter((_, at) => at % 4 === 0);
    const taken = some.map(({ text, pcm }) => [judged(pcm).kind, text]);
    expect(taken.length).toBeGreaterThanOrEqual(10);
    expect(taken.filter(([kind]) => kind !== 'human' && kind !== 'unsure')).toEqual([]);
  });
});
