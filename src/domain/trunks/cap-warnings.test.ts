import { expect, it } from 'vitest';
import { capWarnings } from './cap-warnings.ts';

const SIP = [{ kind: 'test' }, { kind: 'sip' }] as const;
const capped = { limits: { credits_per_day: 50 } };

it.each([
  ['no carrier', [{ kind: 'test' }] as const, { unlimited: true, settings: {} }, []],
  ['a cap', SIP, { unlimited: false, settings: capped }, []],
  ['the cap of the parent', SIP, { unlimited: false, settings: { parent: capped } }, []],
  ['no cap', SIP, { unlimited: false, settings: {} }, ['NO_DAILY_CAP']],
  ['a cap without effect', SIP, { unlimited: true, settings: capped }, ['NO_DAILY_CAP']],
])('a workspace on a carrier with %s is warned of it: %#', (_name, trunks, terms, codes) => {
  expect(capWarnings(trunks, terms).map(({ code }) => code)).toEqual(codes);
});
