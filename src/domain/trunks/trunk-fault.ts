import type { TrunkFault, TrunkProbe } from './read-trunks.ts';

/** Statuses of a registrar that does not accept the account. */
const REFUSED_ACCOUNT: ReadonlySet<number> = new Set([401, 403, 404, 407]);

/** The faults that a process sees at a trunk now. Pure. */
export function trunkFaults(probe: TrunkProbe): TrunkFault[] {
  const { registered, reachable, refusal = null, gateways, fault = null } = probe;
  if (fault !== null) return [fault];
  const faults: TrunkFault[] = [];
  if (registered === false && refusal !== null) {
    const isAccount = REFUSED_ACCOUNT.has(refusal);
    const message = `the registrar answers ${refusal}`;
    faults.push(
      isAccount
        ? { field: 'password', message: `${message}: it does not take this account with its password` }
        : { field: 'register', message },
    );
  }
  if (reachable === false && gateways.length === 0)
    faults.push({ field: 'uri', message: 'its address does not answer OPTIONS' });
  gateways.forEach(({ health }, i) => {
    if (health === 'suspect' || health === 'down')
      faults.push({
        field: `gateways[${i}].uri`,
        message: 'it does not answer OPTIONS, or left a call unanswered',
      });
  });
  return faults;
}
