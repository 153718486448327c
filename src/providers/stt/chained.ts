import type { Language } from '@callwright/language';
import type { RecogniserFault, SttOptions, SttProvider } from '../ports/recogniser.ts';
import type { ChainHealth } from '../wire/health.ts';
import { afterReal, type After } from '../wire/after.ts';
import { usableMember } from '../wire/usable-member.ts';
import { ChainSession } from './chained-session.ts';

/**
 * Recognisers in order of preference, the offline one last. A call begins with the first one that works and understands
 * it; a lost connection is made again, and a recogniser that fails hands over to the next within the call. The offline one
 * only stands in: between two utterances the call returns to a recogniser that may be asked again.
 */
export class ChainedRecogniser implements SttProvider {
  readonly name: string;
  readonly #members: readonly SttProvider[];
  readonly #health: ChainHealth;
  readonly #after: After;

  constructor(members: readonly SttProvider[], health: ChainHealth, after: After = afterReal) {
    this.name = members.map(({ name }) => name).join(',');
    this.#members = members;
    this.#health = health;
    this.#after = after;
  }

  /** The recogniser that always works. */
  get last(): SttProvider | undefined {
    return this.#members.at(-1);
  }

  understands(language: Language): boolean {
    return this.#first(language) !== undefined;
  }

  onlyPhrases(language: Language): boolean {
    return this.#first(language)?.onlyPhrases?.(language) ?? false;
  }

  /** Vendors have their own checks. */
  fault(): RecogniserFault | null {
    return this.last?.fault?.() ?? null;
  }

  open(options: SttOptions): ChainSession {
    const { language, secondaryLanguage } = options;
    const last = this.#members.at(-1);
    const able = this.#members.filter(
      (member) =>
        member === last ||
        member.understands(language) ||
        (secondaryLanguage !== null && member.understands(secondaryLanguage)),
    );
    return new ChainSession(able, options, this.#health, this.#after);
  }

  /** The recogniser that a call in this language begins with; undefined: it does not understand the language. */
  #first(language: Language): SttProvider | undefined {
    const isAble = (i: number): boolean => this.#members[i]?.understands(language) === true;
    const first = this.#members[usableMember(this.#members, this.#health, { isAble, isLook: true })];
    const isUsable = first?.understands(language) === true && (first !== this.last || this.#works(first));
    return isUsable ? first : undefined;
  }

  #works({ name }: SttProvider): boolean {
    return this.#health.brokenBy(name) === null;
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }
}
