import { paid } from '../domain/admission/holds.ts';
import { toMicroCredits } from '../domain/credits/price.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import type { ProviderSettings } from '../store/json/provider-settings.ts';
import type { VendorVoices } from '../domain/agents/voice-catalogue.ts';
import { isConfigured, speakerAccount, toProviderSettings } from '../domain/providers/provider-settings.ts';
import { previewRenderer } from '../offline/speech/preview.ts';
import { listVendorVoices, VoiceListError } from '../providers/choose/voice-lists.ts';
import type { VendorVoice } from '../vendors/vendor-voice.ts';
import { openReach, type VendorReach } from '../providers/wire/reach.ts';
import { vendorOfKey, VoiceBook } from '../providers/voice-book.ts';
import { voiceById } from '../providers/voices.ts';
import type { Clock } from '../shared/clock.ts';
import type { Language } from '@callwright/language';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import { type OperatorProviders, type SpeakerAccount } from '../vendors/accounts.ts';
import { isVendorOf, TTS_VENDOR_NAMES } from '../vendors/catalogue.ts';
import type { Db } from '../store/database.ts';
import { findProviders } from '../store/tenants/providers.ts';
import { findChosenVoices, keepVoices, type ChosenVoice } from '../store/tenants/voices.ts';
import { loadPart } from '../providers/choose/parts.ts';
import { accountId } from '../providers/choose/pool.ts';

/** A list is used for this long; one that could not be read is tried again sooner. */
const FRESH_MS = 600_000;
const RETRY_MS = 30_000;
/** Accounts whose lists are kept; the oldest leave first. */
const MOST_LISTS = 200;
/** Longer than a preview takes. */
const PREVIEW_MS = 120_000;

export interface VendorVoicesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly operator: OperatorProviders;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
  /** Credits for a preview. */
  readonly previewPrice: number;
  readonly notices?: CapNotices;
}

interface Listed {
  voices: readonly VendorVoice[];
  dueAt: number;
  pending: Promise<void> | null;
}

/** The voices of the vendors that a workspace can use, with the environment's accounts or its own. */
export class AccountVoices implements VendorVoices {
  readonly #deps: VendorVoicesDeps;
  readonly #reach: VendorReach;
  readonly #lists = new Map<string, Listed>();

  constructor(deps: VendorVoicesDeps) {
    this.#deps = deps;
    this.#reach = openReach({ allow: deps.allow });
  }

  async list(workspaceId: string): Promise<VoiceBook> {
    return new VoiceBook(await this.#listed(await this.#settings(workspaceId)));
  }

  async named(workspaceId: string, ids: readonly string[]): Promise<VoiceBook> {
    const { db } = this.#deps;
    const chosen = await findChosenVoices(db, workspaceId);
    const wanted = ids.map((id) => id.toLowerCase()).filter((id) => voiceById(id) === undefined);
    if (wanted.length === 0) return new VoiceBook(chosen.map(toVendorVoice));
    const settings = await this.#settings(workspaceId);
    const listed = await this.#listed(settings);
    const found = listed.filter(({ id }) => wanted.includes(id));
    await keepVoices(db, workspaceId, found);
    const rest = chosen
      .filter(({ id }) => !found.some((voice) => voice.id === id))
      .map(toVendorVoice)
      .filter(({ vendor }) => isConfigured(this.#deps.operator, settings, 'tts', vendor));
    return new VoiceBook([...found, ...rest]);
  }

  async preview(workspaceId: string, voiceId: string, language: Language): Promise<Buffer | null> {
    const settings = await this.#settings(workspaceId);
    const voice = (await this.#listed(settings)).find(({ id }) => id === voiceId);
    if (voice === undefined || !voice.languages.includes(language)) return null;
    const account = this.#account(settings, voice.vendor);
    if (account === null) return null;
    const voices = await loadPart('tts');
    const tts = voices.open(account, { reach: this.#reach });
    try {
      const preview = {
        workspaceId,
        kind: 'preview',
        subjectId: voiceId,
        price: { amount: toMicroCredits(this.#deps.previewPrice) },
        byStranger: false,
        lifeMs: PREVIEW_MS,
      } as const;
      return await paid(this.#deps, preview, () => previewRenderer(tts)(voice, language));
    } finally {
      await tts.close();
    }
  }

  async close(): Promise<void> {
    await this.#reach.close();
  }

  async #settings(workspaceId: string): Promise<ProviderSettings> {
    return toProviderSettings(await findProviders(this.#deps.db, workspaceId));
  }

  #account(settings: ProviderSettings, name: VendorVoice['vendor']): SpeakerAccount | null {
    const { operator, seal } = this.#deps;
    return speakerAccount(operator, settings, name, ({ sealed }) => seal.open(sealed));
  }

  /** The voices of every vendor with an account, vendors in their usual order. */
  async #listed(settings: ProviderSettings): Promise<VendorVoice[]> {
    const accounts = TTS_VENDOR_NAMES.flatMap((name) => this.#account(settings, name) ?? []);
    return (await Promise.all(accounts.map((account) => this.#of(account)))).flat();
  }

  /** The voices of an account. Only the first list is waited for; later ones replace it when they arrive. */
  async #of(account: SpeakerAccount): Promise<readonly VendorVoice[]> {
    const { name, settings, isGuarded } = account;
    const id = accountId([name, settings.apiKey, settings.baseUrl, settings.languages ?? [], isGuarded]);
    const known = this.#lists.get(id);
    const listed: Listed = known ?? { voices: [], dueAt: 0, pending: null };
    if (known === undefined) {
      this.#lists.set(id, listed);
      for (const oldest of this.#lists.keys()) {
        if (this.#lists.size <= MOST_LISTS) break;
        this.#lists.delete(oldest);
      }
    }
    if (listed.dueAt <= this.#deps.clock.monotonic()) listed.pending ??= this.#read(account, listed);
    if (listed.voices.length === 0) await listed.pending;
    return listed.voices;
  }

  async #read({ name, settings, isGuarded }: SpeakerAccount, listed: Listed): Promise<void> {
    const { clock, log } = this.#deps;
    try {
      listed.voices = await listVendorVoices(name, settings, isGuarded ? this.#reach.fetch : undefined);
      listed.dueAt = clock.monotonic() + FRESH_MS;
    } catch (error) {
      listed.dueAt = clock.monotonic() + RETRY_MS;
      const reason = error instanceof VoiceListError ? error.fault.message : 'the list cannot be read';
      log.warn({ vendor: name, reason }, 'the voices of a vendor could not be listed');
    } finally {
      listed.pending = null;
    }
  }
}

/** A voice as it was when the workspace chose it. */
function toVendorVoice({ id, voiceKey, name, gender, languages, description }: ChosenVoice): VendorVoice {
  const vendor = vendorOfKey(voiceKey);
  return {
    id,
    vendor: isVendorOf('tts', vendor) ? vendor : 'openai-compatible',
    name,
    languages: languages as readonly Language[],
    gender: gender as VendorVoice['gender'],
    description,
    sampleUrl: null,
    voiceKey,
  };
}
