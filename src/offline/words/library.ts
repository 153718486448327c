import { koffi } from '../../shared/koffi.ts';

/** A pointer of the library. Threads of a process share its memory, so that a model loaded in one serves all. */
export type Pointer = bigint;

/** The functions of libvosk that are used. A recogniser is used by one thread at a time, a model by any number. */
export interface WordsLibrary {
  /** Null: the folder holds no model. */
  readonly newModel: (folder: string) => Pointer | null;
  /** Null: the model does not take the rate. */
  readonly newRecogniser: (model: Pointer, rate: number) => Pointer | null;
  readonly setWords: (recogniser: Pointer, words: number) => void;
  /** 1: the library ended an utterance; 0: it goes on; -1: the audio is refused. */
  readonly accept: (recogniser: Pointer, samples: Int16Array, count: number) => number;
  readonly partialResult: (recogniser: Pointer) => string;
  readonly result: (recogniser: Pointer) => string;
  readonly finalResult: (recogniser: Pointer) => string;
  readonly free: (recogniser: Pointer) => void;
}

/** Loads the library file; throws when it cannot be loaded. */
export function loadWords(file: string): WordsLibrary {
  const library = koffi().load(file);
  const setLogLevel = library.func('void vosk_set_log_level(int)') as (level: number) => void;
  // Its log is a global of the process, and holds what callers said.
  setLogLevel(-1);
  return {
    newModel: library.func('void *vosk_model_new(const char *)') as WordsLibrary['newModel'],
    newRecogniser: library.func('void *vosk_recognizer_new(void *, float)') as WordsLibrary['newRecogniser'],
    setWords: library.func('void vosk_recognizer_set_words(void *, int)') as WordsLibrary['setWords'],
    accept: library.func(
      'int vosk_recognizer_accept_waveform_s(void *, const int16_t *, int)',
    ) as WordsLibrary['accept'],
    partialResult: library.func(
      'const char *vosk_recognizer_partial_result(void *)',
    ) as WordsLibrary['partialResult'],
    result: library.func('const char *vosk_recognizer_result(void *)') as WordsLibrary['result'],
    finalResult: library.func(
      'const char *vosk_recognizer_final_result(void *)',
    ) as WordsLibrary['finalResult'],
    free: library.func('void vosk_recognizer_free(void *)') as WordsLibrary['free'],
  };
}
