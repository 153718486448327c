import type { S2sEntry } from '../../vendors/accounts.ts';
import type { ProviderKind, VendorName } from '../../vendors/catalogue.ts';
import { each, wireDocument, type Described } from '../../shared/wire-names.ts';
import type { StoredSecret } from './tools.ts';

export type ChainEntry = VendorName | 'offline';

/** A workspace's account of a vendor; absent fields are unset. */
export interface StoredVendor {
  readonly apiKey?: StoredSecret;
  readonly baseUrl?: string;
  /** Addresses of the recogniser and of the voices, where they are others. */
  readonly sttBaseUrl?: string;
  readonly ttsBaseUrl?: string;
  /** The recogniser. */
  readonly model?: string;
  readonly llmModel?: string;
  readonly ttsModel?: string;
  readonly s2sModel?: string;
  readonly voice?: string;
  readonly languages?: readonly string[];
}

/** The `settings` column of workspace_providers. An absent chain is the environment's. */
export interface ProviderSettings extends Readonly<Partial<Record<ProviderKind, readonly ChainEntry[]>>> {
  readonly vendors: Readonly<Partial<Record<VendorName, StoredVendor>>>;
  /** Absent: as the environment has it. */
  readonly s2s?: S2sEntry;
}

const VENDOR: Described<StoredVendor> = {
  apiKey: true,
  baseUrl: true,
  sttBaseUrl: true,
  ttsBaseUrl: true,
  llmModel: true,
  ttsModel: true,
  s2sModel: true,
};
export const providersDocument = wireDocument<ProviderSettings>({ vendors: each(VENDOR) });
