import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditVoiceSpeed {
  /** 0.5 to 2.0; 1 is the voice's own pace. */
  voice_speed: number;
}

export function editVoiceSpeed({ config }: EditContext, input: EditVoiceSpeed): EditChange {
  return withAgentConfig(config, { voice_speed: input.voice_speed });
}
