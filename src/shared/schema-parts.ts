import { Type, type Static, type TSchema } from 'typebox';

/** `HH:MM`, 24-hour, zero-padded. */
export const Time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-rule': 'must be HH:MM, 24-hour, zero-padded',
  example: '09:00',
});

export const Uuid = Type.String({ format: 'uuid', 'x-rule': 'must be a UUID' });
/** An id in a request. Any text passes: an id that is not a UUID gets the 404 of an unknown id. */
export const LookupId = Type.String({
  minLength: 1,
  maxLength: 200,
  example: '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10',
});

const DAY =
  '[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';
const HOUR = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
/** A day, or a time with offset. */
export const Moment = Type.String({
  maxLength: 40,
  pattern: `^(?:${DAY})(?:T${HOUR}(?::[0-5][0-9](?:\\.[0-9]{1,9})?)?(?:Z|[+-]${HOUR}))?$`,
  'x-rule': 'must be a date (YYYY-MM-DD) or an ISO 8601 time with offset',
  example: '2026-01-05',
  description:
    'A date (the whole day) or an ISO 8601 time with offset. Days of calls and chats are those of the workspace’s time zone, others UTC days.',
});

/** A number in E.164 form; `options` for its description. */
export const e164 = (options: object = {}) =>
  Type.String({
    pattern: '^\\+[1-9][0-9]{6,14}$',
    'x-rule': 'must be a phone number in E.164 form with country code, such as +14155550100',
    example: '+14155550123',
    ...options,
  });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** One of a fixed list of strings. */
export const oneOf = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

/** An object with any keys. `Type.Record` would not check keys that contain line ends: its pattern does not match them. */
export const mapOf = <T extends TSchema>(value: T, options: object = {}) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value, ...options });
