import { createRequire } from 'node:module';
import type koffiType from 'koffi';
import { countedNativeCall } from './native-threads.ts';

type Koffi = typeof koffiType;

const loaded: { koffi?: Koffi } = {};

/**
 * The library that calls C functions, loaded into this thread at its first use: its load is native code, too, so a thread
 * that was terminated while it imported it aborted the process. Throws in a thread that has to end.
 */
export const koffi = (): Koffi =>
  (loaded.koffi ??= countedNativeCall(() => createRequire(import.meta.url)('koffi') as Koffi));
