import { LANGUAGES, type Language } from '@callwright/language';
import type { LocalModel } from '../domain/providers/local-models.ts';
import type { EarModel } from '../offline/words/ear-api.ts';
import type { EnginesInUse } from '../shared/engines-in-use.ts';

const THIS_MACHINE = 'offline';
const MACHINE_VOICES = 'espeak-ng and flite';
const WITH_NATURAL = 'hibari in English (Claire), espeak-ng and flite';

/**
 * The recognisers and voices of calls in order. `stt` and `tts`: names of the chains, joined by commas. `models`: what hears
 * every word of a language on this machine; null: nothing. `hasNatural`: the natural voice is installed;
 * `own`: voices in the operator's folders.
 */
export function enginesInUse(
  { stt, tts }: { readonly stt: string; readonly tts: string },
  models: (language: Language) => Pick<EarModel, 'id' | 'reader'> | null,
  {
    hasPhrases,
    hasNatural,
    own = 0,
  }: { readonly hasPhrases: boolean; readonly hasNatural: boolean; readonly own?: number },
): EnginesInUse {
  const named = (names: string, machine: string): string =>
    names
      .split(',')
      .map((name) => (name === THIS_MACHINE ? machine : name))
      .join(', then ');
  return {
    ears: named(stt, machineEars(models, hasPhrases)),
    voices: named(tts, `${ownWords(own)}${hasNatural ? WITH_NATURAL : MACHINE_VOICES}`),
  };
}

const ownWords = (own: number): string =>
  own === 0 ? '' : `${own} ${own === 1 ? 'voice' : 'voices'} of own-voices, `;

function machineEars(
  models: (language: Language) => Pick<EarModel, 'id' | 'reader'> | null,
  hasPhrases: boolean,
): string {
  const heard = new Map<string, Language[]>();
  for (const language of LANGUAGES) {
    const model = models(language);
    if (model === null) continue;
    const name = model.reader === null ? model.id : `${model.id} with ${model.reader.id}`;
    heard.set(name, [...(heard.get(name) ?? []), language]);
  }
  const words = [...heard].map(([name, languages]) => `every word of ${languages.join(', ')} (${name})`);
  const rest = hasPhrases ? 'expected phrases' : 'the keypad alone';
  return words.length === 0 ? rest : `${words.join(' and ')}, else ${rest}`;
}

/** Advice while models of a pack are missing: the command, or that they are on their way. Null: none is missing. */
export function betterSpeech(pack: readonly LocalModel[], isFetched: boolean): string | null {
  const missing = pack.filter(({ state, runsHere }) => runsHere && state !== 'installed');
  const [first] = missing;
  if (first === undefined) return null;
  const megabytes = Math.ceil(missing.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000);
  // A library that is missing keeps every model from being used.
  const isLibrary = ({ part }: LocalModel): boolean => part === 'library';
  const gains = (missing.every(isLibrary) ? pack : missing)
    .flatMap((model) => (isLibrary(model) || model.improves === null ? [] : [model.improves]))
    .join(', and ');
  return isFetched
    ? `the English pack (${megabytes} MB) is being fetched; in calls that start after it, ${gains}`
    : `callwright models get fetches the English pack (${megabytes} MB): ${gains}`;
}
