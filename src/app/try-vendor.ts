import type { TryVendor } from '../domain/providers/test-vendor.ts';
import { modelWithFetch } from '../providers/choose/parts.ts';
import { openReach } from '../providers/wire/reach.ts';

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
        const { tryRecogniser } = await import('../providers/choose/recognisers.ts');
        return tryRecogniser(vendor.account, guarded);
      }
      if (vendor.kind === 'tts') {
        const { tryVoice } = await import('../providers/choose/voices.ts');
        return tryVoice(vendor.account, guarded);
      }
      if (vendor.kind === 's2s') {
        const { tryS2s } = await import('../providers/choose/speech-to-speech.ts');
        return tryS2s(vendor.account, guarded);
      }
      const { tryModel } = await import('../providers/choose/try-model.ts');
      return tryModel(modelWithFetch(vendor.account, reach));
    },
    close: () => reach.close(),
  };
}
