import type { PromptSection } from './agent-version.ts';

/** The create request's fields that make up the prompt (interface, Agent create request). */
export interface PromptFields {
  introductionAndObjective: string;
  responseGuidelines: string;
  task: string;
  faq: string;
  /** Turns separated by newlines. */
  sampleConversations: string;
}

/** How prompts are laid out: built from the create fields, joined to one text, split back into sections, and changed. */
export interface PromptBook {
  build(fields: PromptFields): PromptSection[];
  join(sections: readonly PromptSection[]): string;
  parse(prompt: string): PromptSection[];
  /** Lays new create fields over sections; what no field belongs to stays. */
  change(sections: readonly PromptSection[], fields: Partial<PromptFields>): PromptSection[];
  /** Names of the variables a text uses, each once. */
  variables(text: string): string[];
}
