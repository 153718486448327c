import { Type } from 'typebox';
import { DEFAULT_DELAY_MINUTES, DEFAULT_RETRIES } from '../../domain/agents/call-config.ts';
import { nullable, oneOf, Time } from '../../shared/schema-parts.ts';
import { wireInput } from '../../shared/wire-input.ts';
import { VariableName } from './variable-name.ts';

const strict = { additionalProperties: false };

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const Days = nullable(
  Type.Array(oneOf(WEEK), {
    minItems: 1,
    uniqueItems: true,
    maxItems: 7,
    description:
      'Days of the week on which the window opens, in its time zone; a window that crosses midnight belongs to the day it opens on. Null: every day.',
    example: ['mon', 'tue', 'wed', 'thu', 'fri'],
  }),
);
const Slots = nullable(
  Type.Array(Type.Object({ start: Time, end: Time }, strict), {
    minItems: 1,
    maxItems: 10,
    description:
      'Several windows a day, instead of call_start_time and call_end_time. Each may cross midnight; equal start and end mean the whole day; overlapping or adjacent slots are merged. A later edit, campaign or call that sends a start or end without slots replaces them.',
    example: [
      { start: '09:30', end: '12:30' },
      { start: '15:00', end: '19:00' },
    ],
  }),
);

export const CallTime = Type.Object(
  {
    call_start_time: Type.Optional(Time),
    call_end_time: Type.Optional(Time),
    timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'IANA zone in Region/City form. EST, MST, HST and GMT never follow daylight saving.',
        example: 'Asia/Kolkata',
      }),
    ),
    days: Type.Optional(Days),
    slots: Type.Optional(Slots),
    use_callee_timezone: Type.Optional(
      Type.Boolean({
        description:
          "Applies the window in the callee's time zone, derived from country and area code. If several zones are possible (mobile numbers of large countries, toll-free numbers) the window must be open in all of them; numbers without a country use timezone. Default false.",
      }),
    ),
  },
  {
    ...strict,
    description:
      'When calls may be dialled; may cross midnight, and equal start and end mean the whole day. Absent keys come from the campaign, then the agent.',
  },
);

const minutes = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 10_080,
    'x-default': DEFAULT_DELAY_MINUTES,
    description: 'Minutes to wait after this outcome.',
  }),
);

/** `call_config` of one call or campaign (interface, Call-level call_config). */
const callLevelConfig = (retries: number, description: string) =>
  Type.Object(
    {
      call_time: Type.Optional(CallTime),
      call_retry_config: Type.Optional(
        Type.Object(
          {
            retry_count: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 10,
                'x-default': retries,
                description: `Retries after the first attempt. ${description}`,
              }),
            ),
            retry_busy: minutes,
            retry_not_picked: minutes,
            retry_failed: minutes,
          },
          strict,
        ),
      ),
    },
    strict,
  );
export const CallLevelConfig = callLevelConfig(
  DEFAULT_RETRIES.individual,
  'A contact of a campaign has another default.',
);
/** Of a campaign: the same keys, with the default of campaigns. */
export const CampaignCallConfig = callLevelConfig(
  DEFAULT_RETRIES.campaign,
  'Also for a campaign without call_config. A single call has another default.',
);

/** The agent's `call_config`: every key optional at every level. */
export const AgentCallConfig = Type.Object(
  {
    call_time: Type.Optional(CallTime),
    max_call_length: Type.Optional(
      Type.Integer({ minimum: 10, maximum: 3600, description: 'Seconds. Default 240.' }),
    ),
    idle_timeout_warning: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 600,
        description: 'Seconds; 0 disables the check-in; less than idle_timeout_end. Default 5.',
      }),
    ),
    idle_timeout_end: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 600, description: 'Seconds. Default 10.' }),
    ),
    noise_filter_config: Type.Optional(
      Type.Object(
        {
          filter_noise: Type.Optional(Type.Boolean({ description: 'Default false.' })),
          noise_suppression_level: Type.Optional(
            Type.Number({ minimum: 0, maximum: 100, description: 'Default 80.' }),
          ),
        },
        strict,
      ),
    ),
    voicemail: Type.Optional(
      Type.Object(
        {
          detect: Type.Optional(
            Type.Boolean({ description: 'Detects voicemail and call screening. Default true.' }),
          ),
          action: Type.Optional(
            oneOf(['end', 'summarise', 'static_message'], {
              description:
                'On voicemail: hang up, leave a summary of who called and why, or leave static_message after the tone. Default end.',
            }),
          ),
          static_message: Type.Optional(
            nullable(Type.String({ maxLength: 2000, description: 'Required by the action static_message.' })),
          ),
          retry: Type.Optional(Type.Boolean({ description: 'Default true.' })),
        },
        strict,
      ),
    ),
    background_audio_config: Type.Optional(
      Type.Object(
        {
          audio_id: Type.Optional(
            Type.Union([oneOf(['office_ambience']), Type.Null()], {
              'x-rule': 'must be office_ambience, or null for none',
              description: 'Default off.',
            }),
          ),
          volume: Type.Optional(
            nullable(Type.Number({ minimum: 0, maximum: 1, description: '0.0 to 1.0, so 0.5 and not 50.' })),
          ),
        },
        strict,
      ),
    ),
    mute_during_intro: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    first_speaker: Type.Optional(
      Type.Object(
        {
          mode: Type.Optional(
            oneOf(['auto', 'agent', 'caller'], {
              description:
                'Who speaks first. `agent`: the agent, `delay` seconds after the answer. `caller`: the agent waits for the first words of the other side, at most `limit` seconds. `auto`: on outbound calls the agent speaks after the first hello of the callee or after 0.7 seconds, whichever is sooner; on other calls at once. Default auto.',
            }),
          ),
          delay: Type.Optional(
            Type.Number({ minimum: 0, maximum: 10, description: 'Seconds, for the mode agent. Default 0.' }),
          ),
          limit: Type.Optional(
            Type.Number({
              minimum: 1,
              maximum: 60,
              description: 'Seconds, for the mode caller. Default 10.',
            }),
          ),
        },
        strict,
      ),
    ),
    recording: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(
            Type.Boolean({
              description:
                'False: calls of the agent are not recorded; transcript, events and analyses stay. Default true.',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: 'Omitted keys keep their value, or on create their default.' },
);

/** What an agent's `call_config` changes. */
export const toAgentCallConfig = wireInput(AgentCallConfig);
/** The `call_config` of a call or campaign. */
export const toCallConfig = wireInput(CallLevelConfig);

export const VariableNames = Type.Array(VariableName, { maxItems: 200, example: ['appointment_date'] });
