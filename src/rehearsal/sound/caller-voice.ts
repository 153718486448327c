import type { TtsOptions, TtsSession } from '../../providers/ports/voice.ts';
import { paceOf, type Piece } from '../caller/state.ts';
import type { CallerPersona } from '../scenario/document.ts';

const SAMPLES_PER_MS = 8;
/** Samples at the ends of a piece below this are silence. */
const AUDIBLE = 150;
const FRAME_MS = 20;
/** What is kept of that silence, in samples: the quiet begins and ends of words lie in it. */
const MARGIN = 40 * SAMPLES_PER_MS;

type CallerVoiceName = NonNullable<CallerPersona['voice']>;

/**
 * The voices of this machine by the names of personas. Those of flite and the natural ones speak English; in other languages, and
 * where they are not installed, espeak-ng speaks for them, with the accent of the language.
 */
const VOICES: Readonly<Record<CallerVoiceName, string>> = {
  man: 'flite:rms',
  woman: 'flite:slt',
  scottish: 'flite:awb',
  natural_man: 'hibari:fenrir',
  natural_woman: 'hibari:heart',
  synthetic_man: 'espeak:m3',
  synthetic_woman: 'espeak:f2',
};
const SPEED = { least: 0.5, most: 2 } as const;

/** How a simulated caller sounds. `usual`: its voice when the persona names none. */
export const callerVoice = (
  persona: Pick<CallerPersona, 'voice' | 'speed' | 'temper'>,
  language: TtsOptions['language'],
  usual: CallerVoiceName,
): TtsOptions => ({
  voiceKey: VOICES[persona.voice ?? usual],
  language,
  speed: Math.min(SPEED.most, Math.max(SPEED.least, paceOf(persona))),
  sampleRate: 8_000,
});

/** A piece of the caller's words on the line. Times are epoch ms. */
export interface SoundingPiece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Speech {
  readonly pcm: Int16Array;
  readonly pieces: readonly { readonly text: string; readonly at: number; readonly samples: number }[];
  readonly onBegan: (pieces: readonly SoundingPiece[]) => void;
  readonly onEnd: () => void;
  place: number;
}

interface VoiceDeps {
  readonly tts: TtsSession;
  readonly now: () => number;
  readonly onFault: (error: Error) => void;
}

/** The voice of a simulated caller: has words synthesised whole, so that a busy machine adds no pauses, and plays them. */
export class CallerVoice {
  readonly #deps: VoiceDeps;
  readonly #waiting: Speech[] = [];
  #isClosed = false;

  constructor(deps: VoiceDeps) {
    this.#deps = deps;
  }

  /** `onBegan` gets the places of the pieces when the first sample leaves; `onEnd` is called after the last one. */
  say(pieces: readonly Piece[], onBegan: Speech['onBegan'], onEnd: () => void): void {
    const { onFault } = this.#deps;
    Promise.all(pieces.map(({ text }) => this.#spoken(text))).then(
      (sounds) => {
        if (!this.#isClosed) this.#waiting.push({ ...joined(pieces, sounds), onBegan, onEnd, place: 0 });
      },
      (error: unknown) => onFault(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Plays a sound that is no words. */
  play(pcm: Int16Array): void {
    this.#waiting.push({ pcm, pieces: [], onBegan: () => undefined, onEnd: () => undefined, place: 0 });
  }

  /** The next 20 ms; false: the caller says nothing. */
  fill(out: Int16Array): boolean {
    const speech = this.#waiting[0];
    if (speech === undefined) return false;
    const { pcm, pieces, place } = speech;
    if (place === 0) {
      const now = this.#deps.now();
      speech.onBegan(
        pieces.map(({ text, at, samples }) => ({
          text,
          from: now + at / SAMPLES_PER_MS,
          to: now + (at + samples) / SAMPLES_PER_MS,
        })),
      );
    }
    const part = pcm.subarray(place, place + out.length);
    out.fill(0);
    out.set(part);
    speech.place += out.length;
    if (speech.place >= pcm.length) {
      this.#waiting.shift();
      speech.onEnd();
    }
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#deps.tts.close();
  }

  async #spoken(text: string): Promise<Int16Array> {
    return trimmed(await synthesised(this.#deps.tts, text));
  }
}

/** The whole sound of a text. */
export function synthesised(tts: TtsSession, text: string): Promise<Int16Array[]> {
  return new Promise((resolve, reject) => {
    const chunks: Int16Array[] = [];
    const context = tts.begin();
    context.say(text, (event) => {
      if (event.type === 'audio') chunks.push(event.pcm);
      else if (event.type === 'done') resolve(chunks);
      else if (event.type === 'failed') reject(new Error(`a voice failed: ${event.message}`));
    });
    context.end();
  });
}

/** The sound without the silence at its ends. */
function trimmed(chunks: readonly Int16Array[]): Int16Array {
  const pcm = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    pcm.set(chunk, at);
    at += chunk.length;
  }
  const first = pcm.findIndex((sample) => Math.abs(sample) > AUDIBLE);
  const last = pcm.findLastIndex((sample) => Math.abs(sample) > AUDIBLE);
  if (first === -1) return new Int16Array(FRAME_MS * SAMPLES_PER_MS);
  return pcm.subarray(Math.max(0, first - MARGIN), last + 1 + MARGIN);
}

function joined(pieces: readonly Piece[], sounds: readonly Int16Array[]): Pick<Speech, 'pcm' | 'pieces'> {
  let at = 0;
  const placed = sounds.map((sound, index) => {
    const piece = pieces[index]!;
    if (index > 0) at += piece.pauseMs * SAMPLES_PER_MS;
    const own = { text: piece.text, at, samples: sound.length };
    at += sound.length;
    return own;
  });
  const pcm = new Int16Array(at);
  for (const [index, sound] of sounds.entries()) pcm.set(sound, placed[index]!.at);
  return { pcm, pieces: placed };
}
