import type { VadSettings } from '../agent-version.ts';
import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditVadSettings {
  vad_settings: VadSettings;
}

/** Replaces the current settings; a key that is not sent goes back to its default. */
export function editVadSettings({ config }: EditContext, input: EditVadSettings): EditChange {
  return withAgentConfig(config, {
    vad_settings: { interruption_sensitivity: input.vad_settings.interruption_sensitivity ?? 'default' },
  });
}
