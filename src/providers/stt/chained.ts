import type { Language } from '@callwright/language';
import { Chain, type ChainDeps } from '../chain.ts';
import type { RecogniserFault, SttOptions, SttProvider } from '../ports/recogniser.ts';
import { ChainedSession } from './chained-session.ts';

/**
 * Recognisers in a chain. A call starts with the first healthy one that understands its language. A lost connection is
 * reopened; a recogniser that fails hands over within the call. From the offline recogniser the call returns to a vendor
 * between two utterances.
 */
export class ChainedRecogniser implements SttProvider {
  readonly #chain: Chain<SttProvider>;

  constructor(members: readonly SttProvider[], deps: ChainDeps = {}) {
    this.#chain = new Chain(members, deps);
  }

  get name(): string {
    return this.#chain.name;
  }

  /** The recogniser that always works. */
  get last(): SttProvider | undefined {
    return this.#chain.members.at(-1);
  }

  understands(language: Language): boolean {
    return this.#first(language) !== undefined;
  }

  onlyPhrases(language: Language): boolean {
    return this.#first(language)?.onlyPhrases?.(language) ?? false;
  }

  /** Vendors are checked separately (`doctor`). */
  fault(): RecogniserFault | null {
    return this.last?.fault?.() ?? null;
  }

  open(options: SttOptions): ChainedSession {
    const { language, secondaryLanguage } = options;
    const able = this.#chain.members.filter(
      (member) =>
        member === this.last ||
        member.understands(language) ||
        (secondaryLanguage !== null && member.understands(secondaryLanguage)),
    );
    return new ChainedSession(this.#chain.with(able), options);
  }

  /** The recogniser with which a call in this language starts; undefined: none understands the language. */
  #first(language: Language): SttProvider | undefined {
    const { members, health } = this.#chain;
    const isAble = (i: number): boolean => members[i]?.understands(language) === true;
    const first = members[this.#chain.first(isAble)];
    const isUsable = first !== undefined && (first !== this.last || health.brokenBy(first.name) === null);
    return isUsable && first.understands(language) ? first : undefined;
  }

  close(): Promise<void> {
    return this.#chain.close();
  }
}
