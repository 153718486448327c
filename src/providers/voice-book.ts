import { isLanguage, type Language } from '../shared/languages.ts';
import type { TtsVendorName } from '../shared/vendors.ts';
import type { VendorVoice } from './tts/voice-lists/vendor-voice.ts';
import { defaultVoice, voiceById, voices, voicesFor, type VoiceInfo } from './voices.ts';

/** A voice of the offline engines or of a vendor. */
export type AnyVoice = VoiceInfo | VendorVoice;

/** How a call speaks with an agent's voice. */
export interface CallVoice {
  readonly voiceKey: string;
  /** Why the call has another voice than the agent; null: it has the agent's. */
  readonly replaced: string | null;
}

/** The voices of an installation: the offline ones, then those of the configured vendors. */
export class VoiceBook {
  readonly #vendors = new Map<TtsVendorName, readonly VendorVoice[]>();
  /** Every voice that a vendor ever listed in this process, also after the vendor has gone. */
  readonly #known = new Map<string, VendorVoice>();

  /** Replaces the voices of a vendor; none: it is not configured. */
  set(vendor: TtsVendorName, listed: readonly VendorVoice[]): void {
    if (listed.length === 0) this.#vendors.delete(vendor);
    else this.#vendors.set(vendor, listed);
    for (const voice of listed) this.#known.set(voice.id, voice);
  }

  all(): readonly AnyVoice[] {
    return [...voices(), ...[...this.#vendors.values()].flat()];
  }

  byId(id: string): AnyVoice | undefined {
    return voiceById(id) ?? this.#ofVendor(id);
  }

  speaks(id: string, language: Language): boolean {
    return this.byId(id)?.languages.includes(language) ?? false;
  }

  /**
   * The voice of a call. One whose vendor is gone gives way to an offline voice of the same language and, where it is known,
   * of the same gender.
   */
  forCall(voiceId: string, language: string): CallVoice {
    const voice = this.byId(voiceId);
    if (voice !== undefined) return { voiceKey: voice.voiceKey, replaced: null };
    const spoken = isLanguage(language) ? language : 'en-US';
    const gone = this.#known.get(voiceId.toLowerCase());
    const substitute =
      voicesFor([spoken]).find(({ gender }) => gender === gone?.gender) ?? defaultVoice(spoken);
    const missing = gone === undefined ? "the agent's voice" : `${gone.name} of ${gone.vendor}`;
    return {
      voiceKey: substitute.voiceKey,
      replaced: `${missing} is not available; ${substitute.name} speaks instead`,
    };
  }

  #ofVendor(id: string): VendorVoice | undefined {
    const voice = this.#known.get(id.toLowerCase());
    if (voice === undefined) return undefined;
    return this.#vendors.get(voice.vendor)?.find((one) => one.id === voice.id);
  }
}
