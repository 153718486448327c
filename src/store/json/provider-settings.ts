import type { S2sEntry } from '../../vendors/accounts.ts';
import type { ProviderKind, VendorName } from '../../vendors/catalogue.ts';
import type { StoredSecret } from './tools.ts';

export type ChainEntry = VendorName | 'offline';

/** A workspace's account of a vendor; absent fields are unset. */
export interface StoredVendor {
  readonly api_key?: StoredSecret;
  readonly base_url?: string;
  /** The recogniser. */
  readonly model?: string;
  readonly llm_model?: string;
  readonly tts_model?: string;
  readonly s2s_model?: string;
  readonly voice?: string;
  readonly languages?: readonly string[];
}

/** The `settings` column of workspace_providers, under wire names. An absent chain is the environment's. */
export interface ProviderSettings extends Readonly<Partial<Record<ProviderKind, readonly ChainEntry[]>>> {
  readonly vendors: Readonly<Partial<Record<VendorName, StoredVendor>>>;
  /** Absent: as the environment has it. */
  readonly s2s?: S2sEntry;
}
