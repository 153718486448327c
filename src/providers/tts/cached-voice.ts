import { createHash } from 'node:crypto';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import type {
  SpeechManner,
  TtsContext,
  TtsEvent,
  TtsOptions,
  TtsProvider,
  TtsSession,
} from '../ports/voice.ts';
import type { TtsMark } from '@callwright/turns';
import { chunkBytes, clipCache, type ClipCache } from './clip-cache.ts';

/** About 17 minutes of phone audio. */
const CACHE_BYTES = 16 * 1024 * 1024;
const MARK_BYTES = 16;

/** A fixed sentence as a vendor spoke it. */
export interface SpokenClip {
  readonly chunks: readonly Int16Array[];
  readonly marks: readonly TtsMark[];
  /** Model name in usage records. */
  readonly model: string | null;
}
export type SpokenClips = ClipCache<SpokenClip>;

/** The fixed sentences of the vendors' voices of one thread. */
export const spokenClips = (maxBytes = CACHE_BYTES): SpokenClips =>
  clipCache(maxBytes, ({ chunks, marks }) => chunkBytes(chunks) + marks.length * MARK_BYTES);

/**
 * A vendor's voices whose fixed sentences are synthesised once: the same sentence, voice, speed and rate starts at once and
 * costs nothing the next time. Accounts share nothing, because voices belong to them.
 */
export function cachedVoice(
  voice: TtsProvider,
  { apiKey, baseUrl, model, voice: usual = null }: VendorSettings,
  clips: SpokenClips,
): TtsProvider {
  const account = createHash('sha256')
    .update(JSON.stringify([voice.name, apiKey, baseUrl, model, usual]))
    .digest('base64url');
  return {
    name: voice.name,
    ...(voice.speaks === undefined ? {} : { speaks: (language) => voice.speaks?.(language) ?? true }),
    open(options) {
      const session = voice.open(options);
      return {
        begin: () => new CachedContext(account, voice.name, options, session, clips),
        close: () => session.close(),
      };
    },
    ...(voice.warm === undefined ? {} : { warm: (options, text) => voice.warm?.(options, text) }),
    close: () => voice.close(),
  };
}

class CachedContext implements TtsContext {
  readonly #account: string;
  readonly #vendor: string;
  readonly #options: TtsOptions;
  readonly #session: TtsSession;
  readonly #clips: SpokenClips;
  /** Begun with the first sentence that is not cached. */
  #context: TtsContext | null = null;
  #isOver = false;

  constructor(account: string, vendor: string, options: TtsOptions, session: TtsSession, clips: SpokenClips) {
    this.#account = account;
    this.#vendor = vendor;
    this.#options = options;
    this.#session = session;
    this.#clips = clips;
  }

  say(text: string, onEvent: (event: TtsEvent) => void, manner: SpeechManner = {}): void {
    if (this.#isOver) return;
    const { isFixed, ...voice } = manner;
    if (isFixed !== true) return this.#speak(text, onEvent, voice);
    const { voiceKey, language, speed, sampleRate } = { ...this.#options, ...voice };
    const key = [this.#account, voiceKey, language, speed, sampleRate, text].join('\n');
    const clip = this.#clips.get(key);
    if (clip !== undefined) return this.#play(clip, onEvent);
    this.#speak(text, this.#recorded(key, onEvent), voice);
  }

  end(): void {
    this.#context?.end();
  }

  cancel(): void {
    this.#isOver = true;
    this.#context?.cancel();
  }

  #speak(text: string, onEvent: (event: TtsEvent) => void, voice: SpeechManner): void {
    this.#context ??= this.#session.begin();
    this.#context.say(text, onEvent, voice);
  }

  /** The receiver of audio owns it, so that each one gets a copy. */
  #play({ chunks, marks, model }: SpokenClip, onEvent: (event: TtsEvent) => void): void {
    onEvent({ type: 'usage', vendor: this.#vendor, model, characters: 0 });
    if (marks.length > 0) onEvent({ type: 'marks', marks });
    for (const chunk of chunks) {
      if (this.#isOver) return;
      onEvent({ type: 'audio', pcm: chunk.slice() });
    }
    if (!this.#isOver) onEvent({ type: 'done' });
  }

  /** Passes the events of a sentence on and keeps it once it is whole. */
  #recorded(key: string, onEvent: (event: TtsEvent) => void): (event: TtsEvent) => void {
    const chunks: Int16Array[] = [];
    const marks: TtsMark[] = [];
    let model: string | null = null;
    let isWhole = true;
    return (event) => {
      if (event.type === 'audio') chunks.push(event.pcm.slice());
      else if (event.type === 'marks') marks.push(...event.marks);
      else if (event.type === 'usage') model = event.model;
      else if (event.type === 'cut' || event.type === 'switched') isWhole = false;
      else if (event.type === 'done' && isWhole && chunks.length > 0)
        this.#clips.put(key, { chunks, marks, model });
      onEvent(event);
    };
  }
}
