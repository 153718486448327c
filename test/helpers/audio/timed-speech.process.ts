/** Speaks texts with the libraries of the voices, which crash on koffi's usual stack: a process of its own. */
import { wordEnds, type TtsMark } from '@callwright/turns';
import { koffi } from '../../../src/shared/koffi.ts';
import type { SpeakRequest, TimedSpeech } from './timed-speech.ts';

type Pointer = bigint;

koffi().config({ sync_stack_size: 16 * 1024 * 1024 });

/** flite's voices, whose words end where their last segment ends. The text is in ASCII. */
function fliteSpeech(voice: string): (text: string) => TimedSpeech {
  const library = koffi().load('libflite.so.1');
  const voices = koffi().load(`libflite_cmu_us_${voice}.so.1`);
  const init = library.func('int flite_init()') as () => number;
  const synth = library.func('void *flite_synth_text(const char *, void *)') as (
    text: string,
    voice: Pointer,
  ) => Pointer;
  const relation = library.func('void *utt_relation(void *, const char *)') as (
    utterance: Pointer,
    name: string,
  ) => Pointer;
  const head = library.func('void *relation_head(void *)') as (relation: Pointer) => Pointer | null;
  const next = library.func('void *item_next(void *)') as (item: Pointer) => Pointer | null;
  const secondsOf = library.func('float flite_ffeature_float(void *, const char *)') as (
    item: Pointer,
    path: string,
  ) => number;
  const waveOf = library.func('void *utt_wave(void *)') as (utterance: Pointer) => Pointer;
  const remove = library.func('void delete_utterance(void *)') as (utterance: Pointer) => void;
  const register = voices.func(`void *register_cmu_us_${voice}(const char *)`) as (
    folder: string | null,
  ) => Pointer;
  init();
  const spoken = register(null);
  return (text) => {
    const utterance = synth(text, spoken);
    const ends: TtsMark[] = [];
    const texts = [...wordEnds(text)];
    let token = head(relation(utterance, 'Token'));
    for (const textEnd of texts) {
      if (token === null) throw new Error(`flite has fewer words: ${text}`);
      const path = 'daughtern.R:SylStructure.daughtern.daughtern.R:Segment.end';
      ends.push({ textEnd, audioMs: secondsOf(token, path) * 1000 });
      token = next(token);
    }
    const wave = waveOf(utterance);
    // cst_wave: type, rate, samples, channels, then the samples.
    const rate = koffi().decode(wave, 8, 'int') as number;
    const count = koffi().decode(wave, 12, 'int') as number;
    const samples = koffi().decode(wave, 24, 'void *') as Pointer;
    const pcm = Int16Array.from(koffi().decode(samples, 'int16_t', count) as number[]);
    remove(utterance);
    return { text, pcm, rate, ends };
  };
}

/** Events of libespeak-ng. */
const WORD = 1;
const PHONEME = 7;

/** espeak-ng's voices: a word ends where the next one begins, or at the pause before it. */
function espeakSpeech(voice: string): (text: string) => TimedSpeech {
  const library = koffi().load('libespeak-ng.so.1');
  const event = koffi().struct({
    type: 'int',
    unique: 'uint',
    place: 'int',
    length: 'int',
    ms: 'int',
    sample: 'int',
    user: 'void *',
    name: koffi().array('char', 8, 'String'),
  });
  const callback = koffi().proto('int Speaks(int16_t *, int, void *)');
  const initialise = library.func('int espeak_Initialize(int, int, const char *, int)') as (
    ...args: readonly (number | null)[]
  ) => number;
  const listen = library.func('void espeak_SetSynthCallback(Speaks *)') as (call: unknown) => void;
  const choose = library.func('int espeak_SetVoiceByName(const char *)') as (name: string) => number;
  const speak = library.func(
    'int espeak_Synth(const char *, size_t, uint, int, uint, uint, void *, void *)',
  ) as (text: string, bytes: number, ...more: readonly (number | null)[]) => number;
  const rate = initialise(2, 0, null, 1);
  let pcm: number[] = [];
  let events: { type: number; place: number; ms: number; name: string }[] = [];
  listen(
    koffi().register((samples: Pointer | null, count: number, list: Pointer) => {
      if (samples !== null && count > 0) pcm.push(...(koffi().decode(samples, 'int16_t', count) as number[]));
      for (let at = 0; ; at++) {
        const one = koffi().decode(list, at * koffi().sizeof(event), event) as (typeof events)[number];
        if (one.type === 0) break;
        events.push(one);
      }
      return 0;
    }, koffi().pointer(callback)),
  );
  choose(voice);
  return (text) => {
    pcm = [];
    events = [];
    speak(text, Buffer.byteLength(text) + 1, 0, 1, 0, 1, null, null);
    const totalMs = (pcm.length * 1000) / rate;
    const starts = events.filter(({ type }) => type === WORD);
    const ends = [...wordEnds(text)].map((textEnd): TtsMark => {
      // Positions count characters from 1; the next word is the first one after this one's end.
      const next = starts.find(({ place }) => place - 1 >= textEnd);
      const until = next?.ms ?? totalMs;
      const pause = events.findLast(({ type, ms, name }) => type === PHONEME && ms < until && name !== '');
      const audioMs = pause?.name.startsWith('_') === true ? pause.ms : until;
      return { textEnd, audioMs };
    });
    return { text, pcm: Int16Array.from(pcm), rate, ends };
  };
}

process.once('message', ({ engine, voice, texts }: SpeakRequest) => {
  const speak = engine === 'flite' ? fliteSpeech(voice) : espeakSpeech(voice);
  process.send?.(texts.map(speak), () => process.exit(0));
});
