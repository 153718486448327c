import { phrasesOf, type Language, type PhraseTable } from '@callwright/language';
import lines from './wording.json' with { type: 'json' };

/** What a flow says itself in one language, beside the texts of its document. */
export interface FlowWording {
  readonly table: PhraseTable;
  readonly language: Language;
  /** `{value}` is filled. */
  readonly verify: string;
  readonly hold: string;
  readonly robot: string;
  /** `{name}` is filled. */
  readonly who: string;
  readonly optOut: string;
  readonly goodbye: string;
}

const LINES: Readonly<Record<string, Omit<FlowWording, 'table' | 'language'>>> = lines;

export function wordingOf(language: Language): FlowWording {
  const table = phrasesOf(language);
  return { table, language, ...(LINES[table.locale] ?? lines.en) };
}
