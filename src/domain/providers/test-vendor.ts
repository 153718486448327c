import { errors } from '../../errors.ts';
import type { Seal } from '../../shared/seal.ts';
import {
  type LanguageModelAccount,
  type OperatorProviders,
  type RecogniserAccount,
  type S2sAccount,
  type SpeakerAccount,
} from '../../vendors/accounts.ts';
import { isVendorOf, type ProviderKind, isS2sVendor, type VendorName } from '../../vendors/catalogue.ts';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { Db } from '../../store/database.ts';
import { modelAccount, recogniserAccount, s2sAccount, speakerAccount } from './provider-settings.ts';
import { readProviders } from './save-providers.ts';

/** An account with what it does in a call. Holds keys. */
export type VendorToTry =
  | { readonly kind: 'stt'; readonly account: RecogniserAccount }
  | { readonly kind: 'llm'; readonly account: LanguageModelAccount }
  | { readonly kind: 'tts'; readonly account: SpeakerAccount }
  | { readonly kind: 's2s'; readonly account: S2sAccount };

/** What a recogniser wrote of a spoken sentence. */
interface Heard {
  readonly ms: number;
  readonly heard: string;
}

/** Uses a vendor as a call does, under the address rules. Resolves with the milliseconds, those with words, or the fault. */
export type TryVendor = (vendor: VendorToTry) => Promise<number | Heard | VendorFault>;

export type VendorTest =
  | { readonly ok: true; readonly ms: number; readonly heard: string | null }
  | { readonly ok: false; readonly fault: VendorFault };

/** Tries one vendor with the account that calls of the workspace use. Throws 422 for a vendor without one. */
export async function testVendor(
  deps: {
    readonly db: Db;
    readonly seal: Seal;
    readonly operator: OperatorProviders;
    readonly tryVendor: TryVendor;
  },
  workspaceId: string,
  { kind, vendor }: { readonly kind: ProviderKind | 's2s'; readonly vendor: VendorName },
): Promise<VendorTest> {
  const settings = await readProviders(deps, workspaceId);
  const { operator, seal } = deps;
  const open = ({ sealed }: { readonly sealed: string }): string | null => seal.open(sealed);
  const found = ((): VendorToTry | null => {
    if (kind === 'stt' && isVendorOf('stt', vendor)) {
      const account = recogniserAccount(operator, settings, vendor, open);
      return account === null ? null : { kind, account };
    }
    if (kind === 'llm' && isVendorOf('llm', vendor)) {
      const account = modelAccount(operator, settings, vendor, open);
      return account === null ? null : { kind, account };
    }
    if (kind === 'tts' && isVendorOf('tts', vendor)) {
      const account = speakerAccount(operator, settings, vendor, open);
      return account === null ? null : { kind, account };
    }
    if (kind === 's2s' && isS2sVendor(vendor)) {
      const account = s2sAccount(operator, settings, vendor, open);
      return account === null ? null : { kind, account };
    }
    return null;
  })();
  if (found === null) throw errors.invalid('vendor', 'has no account for this part that can be used');
  const result = await deps.tryVendor(found);
  if (typeof result === 'number') return { ok: true, ms: result, heard: null };
  return 'heard' in result ? { ok: true, ...result } : { ok: false, fault: result };
}
