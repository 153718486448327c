import { type TrunkValues, valuesOf } from './trunk-values.ts';

/** The settings that the form of a SIP trunk folds away. */
const MORE: readonly (keyof TrunkValues)[] = [
  'gateways',
  'transport',
  'srtp',
  'codecs',
  'authUsername',
  'acceptsRefer',
  'joinsByRefer',
  'allowedSources',
  'mediaRanges',
  'secretHeader',
  'fromDomain',
  'callerId',
  'callerFormat',
  'calleeFormat',
  'calleePrefix',
  'callingCode',
  'udpLimit',
  'dtmf',
  'headers',
];
/** Fields of the request that the form always shows. */
const ALWAYS = new Set([
  'trunk_name',
  'uri',
  'username',
  'password',
  'register',
  'enabled',
  'max_calls',
  'calls_per_second',
]);

/** Whether one of the settings that the form folds away differs from its default. */
export function hasMoreSettings(values: TrunkValues): boolean {
  const defaults = valuesOf(null);
  return MORE.some((key) => values[key] !== defaults[key]);
}

/** Whether a refusal names a field that the form folds away. */
export const isAboutMore = (fields: Iterable<string>): boolean =>
  [...fields].some((field) => !ALWAYS.has(field));
