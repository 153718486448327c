import type { PromptSection } from '../agent-version.ts';
import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditPrompt {
  agent_prompt: string | { prompt_sections: PromptSection[] };
}

/** Replaces the whole prompt: a section that is not sent is gone. */
export function editPrompt({ config, prompts }: EditContext, input: EditPrompt): EditChange {
  const sent = input.agent_prompt;
  return typeof sent === 'string'
    ? withAgentConfig(config, { agent_prompt: sent, prompt_sections: prompts.parse(sent) })
    : withAgentConfig(config, {
        agent_prompt: prompts.join(sent.prompt_sections),
        prompt_sections: sent.prompt_sections,
      });
}
