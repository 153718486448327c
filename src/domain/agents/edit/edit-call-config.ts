import { mergeCallConfig, type AgentCallConfigChange } from '../call-config.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface EditCallConfig {
  call_config: AgentCallConfigChange;
}

/** Merges the sent keys, nested objects key by key; rules across keys hold for the merged whole. */
export function editCallConfig({ config }: EditContext, input: EditCallConfig): EditChange {
  return { config: { ...config, call_config: mergeCallConfig(config.call_config, input.call_config) } };
}
