import type { VersionConfig } from '../store/json/agent-version.ts';
import type { HearNote } from '../chat/chat-turns.ts';
import { downloadMedia } from '../chat/whatsapp/media.ts';
import type { SafeFetcher } from '../net/safe-fetch.ts';
import { decodeNote } from '../providers/notes/decode-note.ts';
import { hearNote, type HeardNote } from '../providers/notes/hear-note.ts';
import { loadPart } from '../providers/choose/parts.ts';
import type { RecogniserChoice } from '../providers/choose/recognisers.ts';
import { openReach, type VendorReach } from '../providers/wire/reach.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import { numberOfWorkspace } from '../store/chats/whatsapp-numbers.ts';
import type { Db } from '../store/database.ts';
import type { SttProvider } from '../providers/ports/recogniser.ts';
import type { ReadProviders } from './provider-reader.ts';

export interface VoiceNoteDeps {
  readonly db: Db;
  readonly log: Log;
  readonly seal: Seal;
  readonly fetcher: SafeFetcher;
  /** WHATSAPP_BASE_URL. */
  readonly baseUrl: string;
  /** Recognisers of the installation. */
  readonly recognisers: readonly RecogniserChoice[];
  readonly providers: ReadProviders;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
}

/** A note can wait longer for its words than a caller. */
const ANSWER_MS = 10_000;
const UNHEARD: HeardNote = { words: null, uses: [] };
/** A note of a minute has a tenth of it. */
const MOST_BYTES = 2 * 1_048_576;

/**
 * Listens to voice messages with the recognisers of the agent's calls. Without one for free speech in the agent's
 * language, and for a note that cannot be read, there are no words: the agent asks for text.
 */
export class VoiceNotes {
  readonly #deps: VoiceNoteDeps;
  readonly #reach: VendorReach;

  constructor(deps: VoiceNoteDeps) {
    this.#deps = deps;
    this.#reach = openReach({ allow: deps.allow });
  }

  readonly hear: HearNote = async (chat, config, voiceId, signal) => {
    const { log } = this.#deps;
    try {
      const recogniser = await this.#recogniser(chat.workspaceId, config);
      if (recogniser === null) return UNHEARD;
      try {
        return await this.#heard(recogniser, chat, config, voiceId, signal);
      } finally {
        await recogniser.close();
      }
    } catch (error) {
      log.error({ err: error, chatId: chat.id }, 'a voice message was not listened to');
      return UNHEARD;
    }
  };

  async close(): Promise<void> {
    await this.#reach.close();
  }

  async #heard(
    recogniser: SttProvider,
    chat: Parameters<HearNote>[0],
    config: VersionConfig,
    voiceId: string,
    signal: AbortSignal,
  ): Promise<HeardNote> {
    const { db, seal, log, baseUrl, fetcher } = this.#deps;
    const { workspaceId, channelId } = chat;
    const number = channelId === null ? null : await numberOfWorkspace(db, workspaceId, { id: channelId });
    const token = number === null ? null : seal.open(number.accessToken);
    if (token === null) return UNHEARD;
    const media = await downloadMedia({ baseUrl, fetcher }, voiceId, token, MOST_BYTES, signal);
    const pcm = media.ok ? await decodeNote(media.bytes) : media.reason;
    if (typeof pcm === 'string') {
      log.warn({ chatId: chat.id, reason: pcm }, 'a voice message could not be read');
      return UNHEARD;
    }
    const { language, secondaryLanguage, agentConfig: agent } = config;
    const options = { language, secondaryLanguage, vocab: agent.vocab };
    return hearNote(recogniser, pcm, options, signal);
  }

  /** The agent's recognisers in order; null: none understands free speech in its language. */
  async #recogniser(workspaceId: string, config: VersionConfig): Promise<SttProvider | null> {
    const { stt } = await this.#deps.providers(workspaceId, config);
    const accounts = stt ?? this.#deps.recognisers.map((choice) => ({ ...choice, isGuarded: false }));
    if (accounts.length === 0) return null;
    const part = await loadPart('stt');
    const options = { answerMs: ANSWER_MS, reach: this.#reach, log: this.#deps.log };
    const chain = part.chain(accounts.map((account) => part.open(account, options)));
    const { language } = config;
    if (chain.understands(language) && chain.onlyPhrases?.(language) !== true) return chain;
    await chain.close();
    return null;
  }
}
