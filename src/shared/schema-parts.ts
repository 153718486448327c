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

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** One of a fixed list of strings. */
export const oneOf = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

/** An object with any keys. `Type.Record` would not check keys that contain line ends: its pattern does not match them. */
export const mapOf = <T extends TSchema>(value: T, options: object = {}) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value, ...options });
