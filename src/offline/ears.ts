import type { Language } from '@callwright/language';
import { ChainedRecogniser } from '../providers/stt/chained.ts';
import type { RecogniserFault, SttOptions, SttProvider, SttSession } from '../providers/ports/recogniser.ts';
import type { ChainHealth } from '../providers/wire/health.ts';
import { silentLog, type Log } from '../shared/log.ts';
import { installedModel } from './models/installed.ts';
import { withSecondOpinion } from './second-opinion.ts';
import type { ConnectEar } from './words/ear-api.ts';
import { EarThreads } from './words/ears.ts';
import { earModels } from './words/models.ts';
import { localWords } from './words/recogniser.ts';

/**
 * The ears of this machine: free speech where a model of the language is installed, else expected phrases. A call whose
 * words fail goes on with phrases, and returns to words between two utterances.
 */
export class OfflineEars implements SttProvider {
  readonly name = 'offline';
  readonly #words: SttProvider;
  readonly #phrases: SttProvider;
  readonly #chain: ChainedRecogniser;

  /** `health`: shared by the recognisers of the process, which counts their faults. */
  constructor(words: SttProvider, phrases: SttProvider, health?: ChainHealth) {
    this.#words = words;
    this.#phrases = phrases;
    const both: SttProvider = {
      ...words,
      open: (options) =>
        phrases.understands(options.language)
          ? withSecondOpinion(words, phrases, options)
          : words.open(options),
    };
    this.#chain = new ChainedRecogniser([both, phrases], health === undefined ? {} : { health });
  }

  understands(language: Language): boolean {
    return this.#chain.understands(language);
  }

  onlyPhrases(language: Language): boolean {
    return this.#chain.onlyPhrases(language);
  }

  /** Phrases may be missing where words are heard. */
  fault(): RecogniserFault | null {
    return this.#words.understands('en-US') ? null : (this.#phrases.fault?.() ?? null);
  }

  open(options: SttOptions): SttSession {
    const { language, secondaryLanguage } = options;
    const hasWords =
      this.#words.understands(language) ||
      (secondaryLanguage !== null && this.#words.understands(secondaryLanguage));
    return hasWords ? this.#chain.open(options) : this.#phrases.open(options);
  }

  close(): Promise<void> {
    return this.#chain.close();
  }
}

/** The ears with the models of a folder. `connect`: the recogniser threads of the process; absent: its own. */
export function createOfflineEars({
  modelsDir,
  phrases,
  connect,
  health,
  log = silentLog,
}: {
  readonly modelsDir: string;
  readonly phrases: SttProvider;
  readonly connect?: ConnectEar;
  readonly health?: ChainHealth;
  readonly log?: Log;
}): OfflineEars {
  const models = earModels((id) => installedModel(modelsDir, id));
  const own = connect === undefined ? new EarThreads({ log }) : null;
  const words = localWords(connect ?? ((port, model) => own?.connect(port, model)), models);
  const close = async (): Promise<void> => {
    await own?.close();
  };
  return new OfflineEars({ ...words, close }, phrases, health);
}
