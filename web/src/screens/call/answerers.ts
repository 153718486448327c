import type { Call } from './types.ts';

/** Who or what answers a call, in words. */
export const ANSWERER_NAMES: Readonly<Record<NonNullable<Call['answered_by']>['kind'], string>> = {
  human: 'A person',
  voicemail: 'A voicemail',
  screening: 'A call screening',
  ivr: 'A menu',
  hold: 'Hold music',
  fax: 'A fax machine',
  sit: 'An announcement of the network',
  unsure: 'Not sure',
};
