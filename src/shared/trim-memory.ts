import { koffi } from './koffi.ts';
import { countedNativeCall } from './native-threads.ts';

/** Returns memory that finished work left with the allocator to the system; does nothing without glibc. */
export function trimMemory(): void {
  try {
    const trim = koffi().load('libc.so.6').func('int malloc_trim(size_t)') as (kept: number) => number;
    countedNativeCall(() => trim(0));
  } catch {
    // Another C library, or none; or the thread has to end.
  }
}
