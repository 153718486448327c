import { koffi } from '../../shared/koffi.ts';

/** The C functions of PocketSphinx 5prealpha that closed-grammar decoding needs. Handles are opaque. */
export interface SphinxLibrary {
  /** Opens a decoder with the given options; null when it cannot be opened. */
  readonly init: (args: readonly string[]) => unknown;
  readonly free: (decoder: unknown) => number;
  readonly setJsgf: (decoder: unknown, name: string, jsgf: string) => number;
  readonly setSearch: (decoder: unknown, name: string) => number;
  readonly unsetSearch: (decoder: unknown, name: string) => number;
  readonly addWord: (decoder: unknown, word: string, phones: string, update: number) => number;
  readonly startUtterance: (decoder: unknown) => number;
  readonly processRaw: (
    decoder: unknown,
    pcm: Int16Array,
    samples: number,
    noSearch: number,
    whole: number,
  ) => number;
  readonly endUtterance: (decoder: unknown) => number;
  readonly hypothesis: (decoder: unknown, score: Int32Array) => string | null;
  /** Number of 10 ms frames of the hypothesis that are words, not silence or noise. */
  readonly wordFrames: (decoder: unknown) => number;
}

type Library = ReturnType<ReturnType<typeof koffi>['load']>;

const BASE = ['libsphinxbase.so.3', 'libsphinxbase.so'] as const;
const DECODER = ['libpocketsphinx.so.3', 'libpocketsphinx.so'] as const;
/** The noise removal of the front end worsens recognition of telephone audio. */
const FRONT_END = ['-remove_noise', 'no'] as const;

function open(names: readonly string[]): Library {
  let last: unknown = null;
  for (const name of names) {
    try {
      return koffi().load(name);
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${names[0] ?? ''} is not installed`, { cause: last });
}

/**
 * Turns the libraries' log off. Its file is a global of the process: a decoder that names its own (`-logfn`) closes the
 * file that decoders of other threads are writing to, which corrupts the heap.
 */
function silence(base: Library): void {
  const setFile = base.func('void err_set_logfp(void *)') as (file: null) => void;
  const setCallback = base.func('void err_set_callback(void *, void *)') as (log: null, data: null) => void;
  setFile(null);
  setCallback(null, null);
}

/** Loads the installed libraries; throws when one is missing. */
export function loadSphinx(): SphinxLibrary {
  const base = open(BASE);
  // Before the first call of this thread: the libraries read the callback twice per line, without a lock.
  silence(base);
  const library = open(DECODER);
  const definitions = library.func('void *ps_args()') as () => unknown;
  const parse = base.func('void *cmd_ln_parse_r(void *, void *, int, char **, int)') as (
    into: null,
    definitions: unknown,
    count: number,
    args: readonly string[],
    strict: number,
  ) => unknown;
  const init = library.func('void *ps_init(void *)') as (config: unknown) => unknown;
  const releaseConfig = base.func('int cmd_ln_free_r(void *)') as (config: unknown) => number;
  const segments = library.func('void *ps_seg_iter(void *)') as (decoder: unknown) => unknown;
  const next = library.func('void *ps_seg_next(void *)') as (segment: unknown) => unknown;
  const word = library.func('const char *ps_seg_word(void *)') as (segment: unknown) => string;
  const bounds = library.func('void ps_seg_frames(void *, int *, int *)') as (
    segment: unknown,
    first: Int32Array,
    last: Int32Array,
  ) => void;
  return {
    init: (args) => {
      const options = ['pocketsphinx', ...FRONT_END, ...args];
      const config = parse(null, definitions(), options.length, options, 1);
      if (config === null) return null;
      // The decoder holds its own reference.
      const decoder = init(config);
      releaseConfig(config);
      return decoder;
    },
    free: library.func('int ps_free(void *)') as SphinxLibrary['free'],
    setJsgf: library.func(
      'int ps_set_jsgf_string(void *, const char *, const char *)',
    ) as SphinxLibrary['setJsgf'],
    setSearch: library.func('int ps_set_search(void *, const char *)') as SphinxLibrary['setSearch'],
    unsetSearch: library.func('int ps_unset_search(void *, const char *)') as SphinxLibrary['unsetSearch'],
    addWord: library.func(
      'int ps_add_word(void *, const char *, const char *, int)',
    ) as SphinxLibrary['addWord'],
    startUtterance: library.func('int ps_start_utt(void *)') as SphinxLibrary['startUtterance'],
    processRaw: library.func(
      'int ps_process_raw(void *, const int16_t *, size_t, int, int)',
    ) as SphinxLibrary['processRaw'],
    endUtterance: library.func('int ps_end_utt(void *)') as SphinxLibrary['endUtterance'],
    hypothesis: library.func('const char *ps_get_hyp(void *, int32_t *)') as SphinxLibrary['hypothesis'],
    wordFrames: (decoder) => {
      let frames = 0;
      // ps_seg_next frees the iterator at the end.
      for (let segment = segments(decoder); segment !== null; segment = next(segment)) {
        if (!/^[a-z]/.test(word(segment))) continue;
        const [first, last] = [new Int32Array(1), new Int32Array(1)];
        bounds(segment, first, last);
        frames += last[0]! - first[0]! + 1;
      }
      return frames;
    },
  };
}
