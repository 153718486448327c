import { Type } from 'typebox';
import { nullable, oneOf } from './schemas.ts';

const At = (description: string) =>
  nullable(
    Type.String({
      description: `${description} ISO 8601 with the offset of callee_timezone, or else of timezone.`,
      example: '2026-01-05T09:00:00-08:00',
    }),
  );

/** The levels of the window as one, without a callee. */
export const WindowFields = {
  start: Type.String({ example: '09:00' }),
  end: Type.String({ example: '21:00' }),
  slots: nullable(
    Type.Array(Type.Object({ start: Type.String(), end: Type.String() }), {
      description: 'Replaces start and end.',
    }),
  ),
  days: nullable(Type.Array(Type.String({ example: 'mon' }), { description: 'Null: every day.' })),
  timezone: Type.String({ example: 'Asia/Kolkata' }),
  use_callee_timezone: Type.Boolean({ description: "The window is read on the callee's clock." }),
  source: oneOf(['default', 'agent', 'campaign', 'call'], {
    description:
      'Who chose the window. default: the interface; no request gave the agent a call_time, so it has 09:00 to 21:00 Asia/Kolkata.',
  }),
};

export const CallingWindow = Type.Object(
  {
    ...WindowFields,
    callee_timezone: nullable(
      Type.String({
        description:
          'Time zone of the called number; of several possible ones the westernmost. Null: a number of no country.',
        example: 'America/Los_Angeles',
      }),
    ),
    callee_timezones: Type.Array(Type.String(), { description: 'All zones that the number may be in.' }),
    is_open: Type.Boolean(),
    opens_at: At('When the window opens next; null while it is open.'),
    closes_at: At('When the open window closes; null: it does not, or is closed.'),
    next_dial_at: At('The earliest time of the next attempt; limits and other calls may delay it.'),
  },
  { description: 'When the call may be dialled, and who chose that.' },
);

export const WARNING_CODES = [
  'VARIABLE_MISSING',
  'VARIABLE_UNKNOWN',
  'VARIABLE_RESERVED',
  'DEFAULT_CALL_TIME',
  'WINDOW_CLOSED',
  'NIGHT_AT_CALLEE',
  'START_IN_PAST',
  'NO_DAILY_CAP',
  'SRTP_KEYS_IN_CLEAR',
] as const;

export const RequestWarnings = Type.Array(
  Type.Object({
    code: oneOf(WARNING_CODES, {
      description:
        "VARIABLE_MISSING: the agent uses a variable without value and fallback; VARIABLE_UNKNOWN: no variable of the agent; VARIABLE_RESERVED: a page may not set it; DEFAULT_CALL_TIME: the agent has the default calling window; WINDOW_CLOSED: the call or campaign waits; NIGHT_AT_CALLEE: phones ring before 08:00 or after 21:00 on the callee's clock; START_IN_PAST: the campaign starts at once; NO_DAILY_CAP: a workspace on a carrier without a cap of its daily spending; SRTP_KEYS_IN_CLEAR: a trunk encrypts audio with keys that its signalling sends without TLS.",
    }),
    field: Type.String({ example: 'custom_args_values.appointment_date' }),
    message: Type.String(),
  }),
  { description: 'What the request leaves open. The request was carried out; empty: nothing.' },
);
