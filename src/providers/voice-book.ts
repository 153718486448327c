import { type Language, isLanguage } from '@callwright/language';
import type { VendorVoice } from '../vendors/vendor-voice.ts';
import { defaultVoice, voiceById, voices, voicesFor, type VoiceInfo } from './voices.ts';

/** A voice of the offline engines or of a vendor. */
export type AnyVoice = VoiceInfo | VendorVoice;

/** What is known of a vendor's voice after its list is gone. */
export type KnownVoice = Pick<VendorVoice, 'name' | 'voiceKey'> & { readonly gender: string };

/** How a call speaks with an agent's voice. */
export interface CallVoice {
  readonly voiceKey: string;
  /** The vendor that does not speak, and why; null: the call has the agent's voice. */
  readonly replaced: { readonly vendor: string; readonly message: string } | null;
}

/** The voices that a workspace can use: the offline ones, then those of its vendors. */
export class VoiceBook {
  readonly #vendors: readonly VendorVoice[];
  readonly #byId: ReadonlyMap<string, VendorVoice>;

  constructor(vendors: readonly VendorVoice[]) {
    this.#vendors = vendors;
    this.#byId = new Map(vendors.map((voice) => [voice.id, voice]));
  }

  all(): readonly AnyVoice[] {
    return [...voices(), ...this.#vendors];
  }

  byId(id: string): AnyVoice | undefined {
    return voiceById(id) ?? this.#byId.get(id.toLowerCase());
  }

  speaks(id: string, language: Language): boolean {
    return this.byId(id)?.languages.includes(language) ?? false;
  }
}

/** The vendor of a key `<vendor>:<voice>`. */
export const vendorOfKey = (voiceKey: string): string => voiceKey.split(':')[0] ?? '';

/**
 * The voice of a call. A vendor's voice without a speaker gives way to an offline voice of the same language and, where it
 * is known, of the same gender. `known`: the vendor's voice; `speakers`: the vendors that speak on the call, in order.
 */
export function callVoice(
  voiceId: string,
  language: string,
  known: KnownVoice | undefined,
  speakers: readonly string[],
): CallVoice {
  const offline = voiceById(voiceId);
  if (offline !== undefined) return { voiceKey: offline.voiceKey, replaced: null };
  const vendor = known === undefined ? '' : vendorOfKey(known.voiceKey);
  if (known !== undefined && speakers.includes(vendor)) return { voiceKey: known.voiceKey, replaced: null };
  const spoken = isLanguage(language) ? language : 'en-US';
  const substitute =
    voicesFor([spoken]).find(({ gender }) => gender === known?.gender) ?? defaultVoice(spoken);
  const missing = known === undefined ? "the agent's voice" : `${known.name} of ${vendor}`;
  const instead = speakers[0] ?? substitute.name;
  return {
    voiceKey: substitute.voiceKey,
    replaced: { vendor, message: `${missing} is not available; ${instead} speaks instead` },
  };
}
