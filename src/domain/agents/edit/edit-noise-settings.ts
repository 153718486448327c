import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditNoiseSettings {
  mute_during_intro: boolean;
  mute_while_bot_speaking: boolean;
}

/** When the caller may interrupt: not during the first message, or never. */
export function editNoiseSettings({ config }: EditContext, input: EditNoiseSettings): EditChange {
  return withAgentConfig(
    { ...config, call_config: { ...config.call_config, mute_during_intro: input.mute_during_intro } },
    { mute_while_bot_speaking: input.mute_while_bot_speaking },
  );
}
