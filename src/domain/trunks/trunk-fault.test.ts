import { expect, it } from 'vitest';
import type { TrunkProbe } from './read-trunks.ts';
import { trunkFaults } from './trunk-fault.ts';

const gateway = (health: 'healthy' | 'suspect' | 'down' | null) => ({ priority: 0, weight: 1, health });
const probe = (patch: Partial<TrunkProbe>): TrunkProbe => ({
  name: 'carrier',
  reachable: true,
  registered: true,
  gateways: [],
  ...patch,
});

it.each<[string, Partial<TrunkProbe>, string[]]>([
  ['that works', {}, []],
  ['not probed yet', { reachable: null, registered: null }, []],
  ['whose registrar has not answered', { registered: false }, []],
  ['whose account is refused', { registered: false, refusal: 403 }, ['password']],
  ['whose registrar is busy', { registered: false, refusal: 503 }, ['register']],
  ['that registered since', { registered: true, refusal: 403 }, []],
  ['that is silent', { reachable: false }, ['uri']],
  [
    'with silent gateways',
    { reachable: false, gateways: [gateway('healthy'), gateway('suspect'), gateway(null), gateway('down')] },
    ['gateways[1].uri', 'gateways[3].uri'],
  ],
])('the fields to mend of a trunk %s', (_, patch, fields) => {
  expect(trunkFaults(probe(patch)).map(({ field }) => field)).toEqual(fields);
});
