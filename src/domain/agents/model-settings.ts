import type { LlmSettings } from '../../store/json/tools.ts';

/** An agent's settings for whichever model answers. */
export interface ModelSettings {
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  /** The script engine replies when no model does. Absent: the agent apologises. */
  readonly onModelFailure?: 'script';
}

export function modelSettings(llm: LlmSettings | null): { readonly llm?: ModelSettings } {
  if (llm === null) return {};
  const onFailure = llm.onModelFailure === 'script' ? { onModelFailure: 'script' as const } : {};
  return { llm: { temperature: llm.temperature, maxTokens: llm.maxTokens, ...onFailure } };
}
