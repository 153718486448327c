import type { ProviderKind, S2sVendorName, VendorName, VendorOf } from '../../../src/vendors/catalogue.ts';
import { VENDOR_LIST } from './vendor-list.ts';

interface Listed {
  readonly name: VendorName;
  readonly needsKey: boolean;
  readonly kinds: readonly ProviderKind[];
  /** Its recogniser and its voices may be other servers. */
  readonly hasPartAddresses: boolean;
  readonly s2s: S2s | null;
}
/** What a vendor calls the model that hears and speaks, its defaults, and how long one connection lasts. */
interface S2s {
  readonly product: string;
  readonly minutes: number;
  readonly model: string;
  readonly voice: string;
}
const VENDORS: readonly Listed[] = VENDOR_LIST;

export const PROVIDER_KINDS: readonly ProviderKind[] = ['stt', 'llm', 'tts'];
export const VENDOR_NAMES: readonly VendorName[] = VENDORS.map(({ name }) => name);

const listed = (name: string): Listed | undefined => VENDORS.find((vendor) => vendor.name === name);

export const needsKey = (name: VendorName): boolean => listed(name)?.needsKey === true;
export const hasPartAddresses = (name: VendorName): boolean => listed(name)?.hasPartAddresses === true;
export const isVendorOf = <K extends ProviderKind>(kind: K, name: string): name is VendorOf<K> =>
  listed(name)?.kinds.includes(kind) === true;
export const isS2sVendor = (name: string): name is S2sVendorName => listed(name)?.s2s != null;

/** The vendors of speech to speech. */
export const S2S_VENDORS: readonly (S2s & { readonly name: S2sVendorName })[] = VENDORS.flatMap(
  ({ name, s2s }) => (s2s !== null && isS2sVendor(name) ? [{ ...s2s, name }] : []),
);
export const s2sOf = (name: S2sVendorName): S2s | undefined =>
  S2S_VENDORS.find((vendor) => vendor.name === name);
