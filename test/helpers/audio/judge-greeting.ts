import { initialAnswer, stepAnswer, type AnswerEvent, type AnsweredBy } from '@callwright/turns';
import { installedModel } from '../../../src/offline/models/installed.ts';
import { earModels } from '../../../src/offline/words/models.ts';
import { wholeDecoder } from './decode-whole.ts';
import { readAgain } from './read-again.ts';
import { overG711 } from './spoken-line.ts';

const PICK_UP_MS = 400;
/** From the end of a word to its partial result. */
const PARTIAL_MS = 200;
/** From the end of the speech until the speech gate reports it. */
const STOP_MS = 80;
const AFTERWARDS_MS = 2_500;
const TICK_MS = 20;

export interface JudgedGreeting {
  readonly kind: AnsweredBy['kind'] | 'none';
  /** The words of this machine's recogniser, read again at the end. */
  readonly heard: string;
}

/** Judges who answered by a recording at 8 kHz. */
export type JudgeGreeting = (pcm: Int16Array) => Promise<JudgedGreeting>;

/** Opens the English recogniser of `modelsDir` and the net that reads utterances again. Rejects when one is missing. */
export async function greetingJudge(modelsDir: string): Promise<JudgeGreeting> {
  const model = earModels((id) => installedModel(modelsDir, id))('en-US');
  if (model === null) throw new Error(`${modelsDir} holds no recogniser: run callwright models get`);
  if (model.reader === null) throw new Error(`${modelsDir} lacks the net that reads utterances again`);
  const decode = wholeDecoder(model);
  const read = await readAgain(model.reader);
  return async (pcm) => {
    const line = overG711(pcm);
    const { text: last, words } = decode(line);
    const heard = await read(line, last);
    const endMs = PICK_UP_MS + pcm.length / 8;
    let state = initialAnswer({ message: 'Call us.', introduction: 'This is Maya.' }, 0);
    const step = (event: AnswerEvent): void => {
      ({ state } = stepAnswer(state, event));
    };
    let told = 0;
    let isOver = false;
    step({ type: 'speech_started', since: PICK_UP_MS, at: PICK_UP_MS + 60 });
    for (let at = PICK_UP_MS + STOP_MS; at <= endMs + AFTERWARDS_MS; at += TICK_MS) {
      const until = words.filter(({ endMs: end }) => PICK_UP_MS + end + PARTIAL_MS <= at).length;
      if (until > told && until < words.length) {
        told = until;
        const partial = words.slice(0, until).map(({ text }) => text);
        step({ type: 'words', text: partial.join(' '), isFinal: false, at });
      }
      if (!isOver && at >= endMs + STOP_MS) {
        isOver = true;
        step({ type: 'speech_stopped', since: endMs, at });
        step({ type: 'words', text: heard, isFinal: true, at: at + 10 });
      }
      step({ type: 'tick', at });
    }
    return { kind: state.answered?.kind ?? 'none', heard };
  };
}
