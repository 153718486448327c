import { ADDRESS_PURPOSES } from '../../../src/shared/address-rules.ts';

/** The entries of SAFE_FETCH_ALLOW that open an address to every purpose. */
export const openToAll = (address: string): string[] =>
  ADDRESS_PURPOSES.map((purpose) => `${purpose}=${address}`);

/** SAFE_FETCH_ALLOW of a service whose webhooks, tools, knowledge and models are stand-ins on loopback. */
export const LOOPBACK_OPEN = openToAll('127.0.0.1').join(',');
