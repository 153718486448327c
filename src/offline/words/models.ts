import type { Language } from '@callwright/language';
import type { InstalledModel } from '../models/installed.ts';
import { nativeModule, type TurnFiles } from '../models/onnx-runtime.ts';
import { isJudged } from '../../providers/turn/judged-languages.ts';
import { hasPackage } from '../../shared/optional-package.ts';
import type { EarModel, ReaderFiles } from './ear-api.ts';

/** The library, and the models of each language in order of preference, by their names in the catalogue. */
const LIBRARY = 'libvosk';
const ENGLISH = ['vosk-small-en-us'];
const MODELS: Readonly<Partial<Record<Language, readonly string[]>>> = {
  'en-US': ENGLISH,
  'en-GB': ENGLISH,
  'en-AU': ENGLISH,
  'en-IN': ['vosk-small-en-in', ...ENGLISH],
  'hi-IN': ['vosk-small-hi'],
  'te-IN': ['vosk-small-te'],
  'gu-IN': ['vosk-small-gu'],
  'zh-CN': ['vosk-small-zh'],
  'ar-AE': ['vosk-small-ar'],
};
/** The net that reads English utterances again, where the native runtime is installed. */
const READER = 'moonshine-tiny-en';
const READ: ReadonlySet<string> = new Set(ENGLISH);
/** How long what is installed counts as known: a model that is fetched meanwhile serves the calls after that. */
const KNOWN_MS = 10_000;

/** Finds an entry of the catalogue by its name; null: it is not installed. */
export type FindInstalled = (id: string) => InstalledModel | null;

/**
 * The recogniser of this machine for a language; null: its model or the library is not installed. `turn`: what judges the ends
 * of turns, null: nothing.
 */
export function earModels(
  find: FindInstalled,
  turn: () => TurnFiles | null = () => null,
  now: () => number = () => performance.now(),
): (language: Language) => EarModel | null {
  const known = new Map<Language, { readonly model: EarModel | null; readonly at: number }>();
  const look = (language: Language): EarModel | null => {
    const library = find(LIBRARY);
    if (library === null) return null;
    for (const id of MODELS[language] ?? []) {
      const found = find(id);
      if (found === null) continue;
      const reader = READ.has(id) ? readerOf(find) : null;
      const judge = isJudged(language) ? turn() : null;
      const files = { id, folder: found.folder, library: library.file('libvosk.so'), reader };
      return judge === null ? files : { ...files, turn: judge };
    }
    return null;
  };
  return (language) => {
    const last = known.get(language);
    if (last !== undefined && now() - last.at < KNOWN_MS) return last.model;
    const model = look(language);
    known.set(language, { model, at: now() });
    return model;
  };
}

function readerOf(find: FindInstalled): ReaderFiles | null {
  const module = nativeModule(find);
  const model = find(READER);
  return model === null || !hasPackage(module) ? null : { id: READER, folder: model.folder, module };
}
