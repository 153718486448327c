import type { MessagePort } from 'node:worker_threads';
import type { StopFlag } from '../../shared/native-threads.ts';
import type { Moved } from '../../shared/threads/moved.ts';
import type { TurnFiles } from '../models/onnx-runtime.ts';
import type { HeardWords } from './heard-words.ts';

/** The rate of the models; telephone audio is resampled to it. */
export const EAR_RATE = 16_000;

/** One call's stream in a recogniser thread, as the thread with the call reaches it; the stream ends with its port. */
export interface EarApi {
  hear(samples: Moved<Int16Array<ArrayBuffer>>): void;
  /** The utterance ends with what was sent: its final words follow. `overMs`: of the audio at the end, the next one may have begun. */
  end(overMs: number): void;
}
export interface EarEvents {
  /** A piece is decoded. `text`: the words of the utterance so far; null: as before. */
  heard(text: string | null): void;
  /** The words of an utterance; null: it had none. `isAsked`: the answer to `end`, not an end that the library found. */
  ended(words: HeardWords | null, isAsked: boolean): void;
  failed(message: string): void;
}

/** A model in the memory of the process, and the share of a core that one speaking caller takes. */
export interface LoadedModel {
  readonly address: bigint;
  readonly share: number;
}

/** What a caller costs: the recogniser, and the nets that read its words again and judge the ends of its turns. */
export type LoadedFiles = Pick<EarModel, 'folder' | 'reader' | 'turn'>;

/** A recogniser thread, as the main thread reaches it. */
export interface EarThreadApi {
  load(files: LoadedFiles): Promise<LoadedModel>;
  /** The other end of the port sends a call's audio. */
  connect(port: Moved<MessagePort>, address: bigint, reader: ReaderFiles | null): void;
  stop(): void;
}
export interface EarThreadEvents {
  /** A stream is over. */
  closed(): void;
}
export interface EarThreadData {
  readonly library: string;
  readonly stop: StopFlag;
}

/** Hands a port to a recogniser thread that has the model of the folder; a port that it cannot serve closes. */
export type ConnectEar = (port: MessagePort, model: EarModel) => void;

/** The net that reads whole utterances, and the native runtime that it needs. */
export interface ReaderFiles {
  readonly id: string;
  readonly folder: string;
  readonly module: string;
}

/** The files of a recogniser of this machine. */
export interface EarModel {
  readonly id: string;
  readonly folder: string;
  /** The library file. */
  readonly library: string;
  /** Reads the final words again; null: none is installed for the language. */
  readonly reader: ReaderFiles | null;
  /** Judges the ends of turns in the call workers; absent: no model does in this language. */
  readonly turn?: TurnFiles;
}
