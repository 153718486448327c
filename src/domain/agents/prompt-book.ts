import type { PromptSection, VersionConfig } from '../../store/json/agent-version.ts';
import type { Language } from '@callwright/language';

/** The fields of the create request that form the prompt (interface, Agent create request). */
export interface PromptFields {
  introductionAndObjective: string;
  responseGuidelines: string;
  task: string;
  faq: string;
  /** Turns separated by newlines. */
  sampleConversations: string;
}

/**
 * `left_out`: nothing is said or done. `not_done`: the agent says that it has noted it, and does nothing. `vague`: it asks a
 * general question instead. `no_step`: the step that it goes to does not exist. `unheard`: the answer to it cannot be
 * recognised.
 */
export const UNFOLLOWED_REASONS = ['left_out', 'not_done', 'vague', 'no_step', 'unheard'] as const;
export interface UnfollowedPart {
  readonly text: string;
  readonly reason: (typeof UNFOLLOWED_REASONS)[number];
}

/** What the calls of an agent do without: a language model; a recogniser of free speech. */
export interface Lacks {
  readonly model: boolean;
  readonly recogniser: boolean;
}

/** The layout of prompts: builds sections from the create fields, joins them, parses them, and changes them. */
export interface PromptBook {
  build(fields: PromptFields): PromptSection[];
  join(sections: readonly PromptSection[]): string;
  parse(prompt: string): PromptSection[];
  /** Replaces the sections of the given create fields; other sections stay. */
  change(sections: readonly PromptSection[], fields: Partial<PromptFields>): PromptSection[];
  /** The variables of a text, without duplicates. */
  variables(text: string): string[];
  /** A first message with its values, without what lacks one. */
  firstWords(text: string, values: Readonly<Record<string, string>>, language: Language): string;
  /** What of a version's script the agent cannot follow, and the questions whose answers it cannot recognise. */
  unfollowed(config: VersionConfig, lacks: Lacks): Promise<readonly UnfollowedPart[]>;
  /** Whether this machine writes every word of callers in the language; absent: it hears phrases at most. */
  hearsWords?(language: Language): boolean;
}
