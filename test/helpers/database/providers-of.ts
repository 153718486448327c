import {
  NO_OPERATOR_PROVIDERS,
  type OperatorAccount,
  type OperatorProviders,
} from '../../../src/vendors/accounts.ts';
import type { VendorName } from '../../../src/vendors/catalogue.ts';

/** The vendors of an environment that sets these accounts and chains; other vendors have no key and no address. */
export const operatorWith = (
  accounts: Partial<Record<VendorName, Partial<OperatorAccount>>>,
  chains: Partial<OperatorProviders['chains']> = {},
): OperatorProviders => ({
  accounts: Object.fromEntries(
    Object.entries(NO_OPERATOR_PROVIDERS.accounts).map(([name, none]) => [
      name,
      { ...none, ...accounts[name as VendorName] },
    ]),
  ) as unknown as OperatorProviders['accounts'],
  models: {},
  chains: { ...NO_OPERATOR_PROVIDERS.chains, ...chains },
  s2s: 'pipeline',
});
