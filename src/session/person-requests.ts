import { intentOf, phrasesOf, type Language, type PhraseTable } from '@callwright/language';
import type { TranscriptLine } from '@callwright/turns';

/** An agent as the languages that it talks in. */
export interface Speaker {
  readonly language: Language;
  readonly secondaryLanguage: Language | null;
}

/** Notices a caller who asks for a person, by phrases of the languages of the call's agents. English counts in every call. */
export class PersonRequests {
  readonly #tables = new Set<PhraseTable>();

  constructor(agent: Speaker) {
    this.add(agent);
  }

  /** The call goes on with this agent. */
  add({ language, secondaryLanguage: secondary }: Speaker): void {
    this.#tables.add(phrasesOf(language));
    if (secondary !== null) this.#tables.add(phrasesOf(secondary));
  }

  /** Lines of members and guests, who have an author, and pressed keys are no requests. */
  isIn({ role, by, author, text }: TranscriptLine): boolean {
    if (role !== 'caller' || by === 'keypad' || author !== undefined) return false;
    return [...this.#tables].some((table) => intentOf(text, table) === 'human');
  }
}
