import { errors } from '../../../errors.ts';
import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditDtmfSettings {
  dtmf_settings: {
    dtmf_capturing_enabled: boolean;
    dtmf_input?: { digits?: number; timeout?: number; end?: string; reset?: string };
  };
}

/** Replaces how the caller's keys become an answer. */
export function editDtmfSettings({ config }: EditContext, input: EditDtmfSettings): EditChange {
  const { dtmf_capturing_enabled: enabled, dtmf_input: keys = {} } = input.dtmf_settings;
  if (keys.end !== undefined && keys.end === keys.reset) {
    throw errors.invalid(
      'dtmf_settings.dtmf_input.reset',
      'must be another key than dtmf_settings.dtmf_input.end',
    );
  }
  return withAgentConfig(config, {
    dtmf_settings: {
      dtmf_capturing_enabled: enabled,
      dtmf_input: {
        digits: keys.digits ?? null,
        timeout: keys.timeout ?? null,
        end: keys.end ?? null,
        reset: keys.reset ?? null,
      },
    },
  });
}
