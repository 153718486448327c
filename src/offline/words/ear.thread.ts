import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createResampler, resample } from '@callwright/audio';
import { checkSpeech } from '../../providers/stt/check-speech.ts';
import { openTurnNet, type TurnNetFiles } from '../../providers/turn/turn-net.ts';
import { NativeCalls } from '../../shared/native-threads.ts';
import { setThreadPriority } from '../../shared/thread-priority.ts';
import { link } from '../../shared/threads/remote.ts';
import {
  EAR_RATE,
  type EarApi,
  type EarEvents,
  type EarThreadApi,
  type EarThreadData,
  type EarThreadEvents,
  type ReaderFiles,
} from './ear-api.ts';
import { ReadStream, type PieceStream } from '../reading/read-stream.ts';
import type { Reader } from '../reading/reader.ts';
import { Readers } from '../reading/readers.ts';
import { loadWords, type Pointer, type WordsLibrary } from './library.ts';
import { EarStream, shareOf } from './stream.ts';

setThreadPriority('speech');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Of powers: 15 dB. */
const NOISE_RATIO = 32;

const sentence = (): Int16Array =>
  resample(createResampler(8000, EAR_RATE), onNoisyLine(checkSpeech()), true);

/** Loads a model into the memory of the process, where it stays, and measures it with a spoken sentence. */
function load(library: WordsLibrary, folder: string): { address: Pointer; share: number } {
  const address = library.newModel(folder);
  if (address === null) throw new Error(`${folder} holds no model`);
  return { address, share: shareOf(library, address, sentence(), cpuMs) };
}

/** The share of a core that reading takes while a caller speaks. */
async function shareOfReading(reader: Reader): Promise<number> {
  const speech = sentence();
  await reader.read(speech);
  const before = cpuMs();
  await reader.read(speech);
  return ((cpuMs() - before) * EAR_RATE) / 1000 / speech.length;
}

/** Callers pause about this often while they speak, ms. */
const PAUSE_EVERY_MS = 1_500;

/** The share of a core that judging the ends of turns takes while a caller speaks. Rejects where the net cannot be used. */
async function shareOfJudging(files: TurnNetFiles): Promise<number> {
  const net = await openTurnNet(files);
  const before = cpuMs();
  await net.judge(sentence());
  const ms = cpuMs() - before;
  await net.release();
  return ms / PAUSE_EVERY_MS;
}

/** White noise about 15 dB below the speech: on a bad line more words are possible, so that decoding takes twice the time. */
function onNoisyLine(speech: Int16Array): Int16Array {
  const power = speech.reduce((sum, sample) => sum + sample * sample, 0) / speech.length;
  const amplitude = Math.sqrt((3 * power) / NOISE_RATIO);
  let state = 1;
  return speech.map((sample) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return sample + (state / 2 ** 31 - 1) * amplitude;
  });
}

/** Decodes the calls of every worker: the native calls block for milliseconds, so no call waits for them. */
function serve(main: NonNullable<typeof parentPort>, data: EarThreadData): void {
  const calls = new NativeCalls(data.stop);
  const library = calls.run(() => loadWords(data.library));
  if (library === undefined) return;
  const ends = link<EarThreadEvents, never, EarThreadApi>(main);
  const streams = new Map<MessagePort, PieceStream>();
  const readers = new Readers(calls);
  const close = (port: MessagePort): void => {
    const stream = streams.get(port);
    if (!streams.delete(port)) return;
    calls.run(() => stream?.free());
    ends.remote.send.closed();
  };
  const connect = (port: MessagePort, model: Pointer, reader: ReaderFiles | null): void => {
    const call = link<EarEvents, never, EarApi>(port);
    const native = (run: () => void): void => {
      try {
        calls.run(run);
      } catch (error) {
        call.remote.send.failed(messageOf(error));
      }
    };
    native(() => {
      const { heard, ended, failed } = call.remote.send;
      const events: EarEvents = { heard, ended, failed };
      const open = (their: EarEvents): PieceStream => new EarStream(library, model, their);
      // A reader that cannot be opened leaves the words as they are: `load` said why.
      if (reader !== null) void readers.open(reader).catch(() => undefined);
      streams.set(
        port,
        reader === null ? open(events) : new ReadStream(open, events, readers.reading(reader)),
      );
    });
    port.on('close', () => close(port));
    if (!streams.has(port)) return port.close();
    call.serve({
      api: {
        hear: (samples) => native(() => streams.get(port)?.hear(samples)),
        end: (overMs) => native(() => streams.get(port)?.end(overMs)),
      },
    });
  };
  ends.serve({
    api: {
      load: async ({ folder, reader, turn }) => {
        const model = calls.run(() => load(library, folder));
        if (model === undefined) throw new Error('the thread has to end');
        const reading = reader === null ? 0 : await shareOfReading(await readers.open(reader));
        const judging =
          turn === undefined ? 0 : ((await calls.runAsync(() => shareOfJudging(turn).catch(() => 0))) ?? 0);
        return { ...model, share: model.share + reading + judging };
      },
      connect,
      stop: () =>
        void calls
          .release(async () => {
            for (const stream of streams.values()) stream.free();
            await readers.release();
          })
          .finally(() => {
            // An open port keeps the thread alive; its call learns of the end by the close.
            for (const port of streams.keys()) port.close();
            streams.clear();
            main.close();
          }),
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as EarThreadData);
