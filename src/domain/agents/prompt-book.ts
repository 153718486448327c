import type { PromptSection } from './agent-version.ts';

/** The fields of the create request that form the prompt (interface, Agent create request). */
export interface PromptFields {
  introductionAndObjective: string;
  responseGuidelines: string;
  task: string;
  faq: string;
  /** Turns separated by newlines. */
  sampleConversations: string;
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
}
