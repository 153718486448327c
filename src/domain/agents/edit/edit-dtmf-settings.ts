import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { oneOf } from '../../../shared/schema-parts.ts';
import { operation, withAgentConfig } from './operation.ts';

const DialKey = oneOf(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#']);

/** Replaces the settings for DTMF answers of the caller. */
export const editDtmfSettings = operation(
  Type.Object({
    dtmf_settings: Type.Object({
      dtmf_capturing_enabled: Type.Boolean({ description: "False: the agent ignores the caller's keys." }),
      dtmf_input: Type.Optional(
        Type.Object({
          digits: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 32,
              description: 'Keys after which the answer is complete.',
            }),
          ),
          timeout: Type.Optional(
            Type.Number({
              minimum: 1,
              maximum: 30,
              description: 'Seconds without a key after which the answer is complete.',
            }),
          ),
          end: Type.Optional(DialKey),
          reset: Type.Optional(DialKey),
        }),
      ),
    }),
  }),
  ({ config }, input) => {
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
  },
);
