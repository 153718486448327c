import type { TryVendor } from '../domain/providers/test-vendor.ts';
import { openReach } from '../providers/vendor/reach.ts';

/**
 * Tries vendors with the checks of `callwright doctor`. Addresses of workspaces are reached under the address rules.
 * `allow`: SAFE_FETCH_ALLOW.
 */
export function vendorTester(allow: readonly string[]): { tryVendor: TryVendor; close(): Promise<void> } {
  const reach = openReach({ allow });
  return {
    async tryVendor(vendor) {
      const guarded = vendor.account.isGuarded ? reach : undefined;
      if (vendor.kind === 'stt') {
        const { tryRecogniser } = await import('../providers/stt/vendors.ts');
        return tryRecogniser(vendor.account, guarded);
      }
      if (vendor.kind === 'tts') {
        const { tryVoice } = await import('../providers/tts/vendors.ts');
        return tryVoice(vendor.account, guarded);
      }
      if (vendor.kind === 's2s') {
        const { tryS2s } = await import('../providers/s2s/vendors.ts');
        return tryS2s(vendor.account, guarded);
      }
      const { tryModel } = await import('../providers/llm/try-model.ts');
      return tryModel({ ...vendor.account, ...(guarded === undefined ? {} : { fetch: guarded.fetch }) });
    },
    close: () => reach.close(),
  };
}
