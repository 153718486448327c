import type { DtmfSettings } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { operation, withAgentConfig } from './operation.ts';

interface DtmfEdit {
  readonly dtmfCapturingEnabled: boolean;
  readonly dtmfInput?: {
    readonly [K in keyof DtmfSettings['dtmfInput']]?: NonNullable<DtmfSettings['dtmfInput'][K]>;
  };
}

/** Replaces the settings for DTMF answers of the caller. */
export const editDtmfSettings = operation<{ dtmfSettings: DtmfEdit }>(({ config }, input) => {
  const { dtmfCapturingEnabled, dtmfInput: keys = {} } = input.dtmfSettings;
  if (keys.end !== undefined && keys.end === keys.reset) {
    throw errors.invalid(
      'dtmf_settings.dtmf_input.reset',
      'must be another key than dtmf_settings.dtmf_input.end',
    );
  }
  return withAgentConfig(config, {
    dtmfSettings: {
      dtmfCapturingEnabled,
      dtmfInput: {
        digits: keys.digits ?? null,
        timeout: keys.timeout ?? null,
        end: keys.end ?? null,
        reset: keys.reset ?? null,
      },
    },
  });
});
