import { beforeAll, describe, expect, it } from 'vitest';
import { machineKind } from '@callwright/language';
import { initialAnswer, stepAnswer, type AnsweredBy } from '@callwright/turns';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { earModels } from '../../src/offline/words/models.ts';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { wholeDecoder, type WholeWords } from '../helpers/audio/decode-whole.ts';
import { readAgain, type ReadAgain } from '../helpers/audio/read-again.ts';
import { humanPrompts } from '../helpers/audio/human-prompts.ts';
import { overG711 } from '../helpers/audio/spoken-line.ts';

/** What machines say with a person's voice, by the names of Asterisk's prompts. The rules for `vm-nobodyavail` and `vm-helpexit` were written after them. */
const MACHINES = {
  voicemail: ['vm-intro', 'vm-nobodyavail'],
  screening: ['priv-recordintro'],
  hold: ['queue-periodic-announce', 'tt-allbusy', 'queue-youarenext'],
  ivr: ['dir-instr', 'vm-helpexit', 'vm-forward'],
} as const;
/** Ringing and another voice follow these, which receptionists say as well: who answered stays open, and is judged again. */
const TRANSFERS = ['pls-hold-while-try', 'transfer', 'vm-dialout'];

let decode: (pcm: Int16Array) => WholeWords;
let read: ReadAgain;
beforeAll(async () => {
  prompts = new Map(humanPrompts().map((prompt) => [prompt.name, prompt.pcm]));
  const folder = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
  const model = earModels((id) => installedModel(folder, id))('en-US');
  if (model === null) throw new Error(`${folder} holds no recogniser: run callwright models get`);
  decode = wholeDecoder(model);
  if (model.reader === null) throw new Error(`${folder} lacks the net that reads utterances again`);
  read = await readAgain(model.reader);
});

let prompts: ReadonlyMap<string, Int16Array>;
function promptOf(name: string): Int16Array {
  const pcm = prompts.get(name);
  if (pcm === undefined) throw new Error(`${name} is no prompt`);
  return pcm;
}

const PICK_UP_MS = 400;

/** Who answered, by the words that this machine hears of a greeting, and reads again at its end. */
async function judged(pcm: Int16Array): Promise<{ kind: AnsweredBy['kind'] | 'none'; heard: string }> {
  const line = overG711(pcm);
  const { text: last, words } = decode(line);
  const text = await read(line, last);
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
  it('by a machine with a person’s voice is taken for what it is', async () => {
    const rows: ({ name: string; is: string } & Awaited<ReturnType<typeof judged>>)[] = [];
    for (const [is, names] of Object.entries(MACHINES)) {
      for (const name of names) {
        rows.push({ name, is, ...(await judged(promptOf(name))) });
      }
    }
    for (const name of TRANSFERS) {
      const { kind, heard } = await judged(promptOf(name));
      expect([name, kind, machineKind(heard)]).toEqual([
        name,
        'unsure',
        expect.stringMatching(/^(?:waiting|transfer)$/),
      ]);
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
