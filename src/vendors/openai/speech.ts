import { speakerCode } from '../speaker-languages.ts';
import type { Language } from '@callwright/language';
import type { TtsVendorName, VendorSettings } from '../catalogue.ts';
import type {
  TtsContext,
  TtsEvent,
  TtsOptions,
  TtsProvider,
  TtsSession,
  TtsVoice,
} from '../../providers/ports/voice.ts';
import { faultOfStatus, vendorFault, type VendorFault } from '../../providers/wire/fault.ts';
import { voiceOf } from '../../providers/tts/dialect.ts';
import { SpeechDecoder } from '../../providers/tts/speech-decoder.ts';

/** A server with OpenAI's speech request, with its usual model and voice. */
export interface SpeechApi {
  readonly name: TtsVendorName;
  readonly model: string;
  readonly voice: (language: Language) => string;
}

/** PCM of the vendors: 24 kHz, without a header. */
const FORMAT = { encoding: 'linear16', rate: 24_000 } as const;
const FIRST_BYTE_MS = 3_000;
/** Silence in the middle of an answer. */
const STALL_MS = 3_000;
/** Requests at once in a reply: the sentence that plays, and the next. */
const AT_ONCE = 2;
const LONGEST_REFUSAL = 2_000;

export interface SpeechLimits {
  readonly firstByteMs?: number;
  readonly stallMs?: number;
  /** Applies the address rules to the URL of a workspace. */
  readonly fetch?: typeof globalThis.fetch;
}

const voiceFor = (api: SpeechApi, settings: VendorSettings, { voiceKey, language }: TtsVoice): string =>
  voiceOf(api.name, voiceKey) ?? settings.voice ?? api.voice(language);

/** The address of the request; /v1 is added to a URL without a path. */
function addressOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  url.pathname = `${path === '' ? '/v1' : path}/audio/speech`;
  return url.href;
}

/** OpenAI's voices and those of servers with the same request: one request a sentence, streamed; no marks. */
export function speechTts(api: SpeechApi, settings: VendorSettings, limits: SpeechLimits = {}): TtsProvider {
  const { name } = api;
  return {
    name,
    speaks: (language) => speakerCode(name, language, settings.languages) !== null,
    open(options) {
      const contexts = new Set<SpeechContext>();
      const session: TtsSession = {
        begin() {
          const context = new SpeechContext(api, settings, options, limits);
          contexts.add(context);
          return context;
        },
        close() {
          for (const context of contexts) context.cancel();
          contexts.clear();
        },
      };
      return session;
    },
    close: () => Promise.resolve(),
  };
}

class SpeechContext implements TtsContext {
  readonly #api: SpeechApi;
  readonly #settings: VendorSettings;
  readonly #options: TtsOptions;
  readonly #limits: SpeechLimits;
  readonly #cancelled = new AbortController();
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(api: SpeechApi, settings: VendorSettings, options: TtsOptions, limits: SpeechLimits) {
    this.#api = api;
    this.#settings = settings;
    this.#options = options;
    this.#limits = limits;
  }

  say(text: string, onEvent: (event: TtsEvent) => void, voice: Partial<TtsVoice> = {}): void {
    const emit = (event: TtsEvent): void => {
      if (!this.#cancelled.signal.aborted) onEvent(event);
    };
    this.#waiting.push(async () => {
      const fault = await this.#speak(text, { ...this.#options, ...voice }, emit);
      if (fault === null) return emit({ type: 'done' });
      return emit({ type: 'failed', message: fault.message, retryable: fault.retryable, fault });
    });
    this.#next();
  }

  end(): void {
    // Each sentence is a separate request.
  }

  cancel(): void {
    this.#waiting.length = 0;
    this.#cancelled.abort();
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const work = this.#waiting.shift();
      if (work === undefined) return;
      this.#running++;
      void work().finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  /** Resolves with the fault, or null once the sentence is whole. */
  async #speak(
    text: string,
    options: TtsOptions,
    emit: (event: TtsEvent) => void,
  ): Promise<VendorFault | null> {
    const { firstByteMs = FIRST_BYTE_MS, stallMs = STALL_MS, fetch = globalThis.fetch } = this.#limits;
    const model = this.#settings.model ?? this.#api.model;
    const late = new AbortController();
    let limit = setTimeout(() => late.abort(), firstByteMs);
    const more = (): void => {
      clearTimeout(limit);
      limit = setTimeout(() => late.abort(), stallMs);
    };
    try {
      const response = await fetch(addressOf(this.#settings.baseUrl), {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.any([this.#cancelled.signal, late.signal]),
        headers: {
          'content-type': 'application/json',
          ...(this.#settings.apiKey === null ? {} : { authorization: `Bearer ${this.#settings.apiKey}` }),
        },
        body: JSON.stringify({
          model,
          input: text,
          voice: voiceFor(this.#api, this.#settings, options),
          response_format: 'pcm',
          speed: Math.min(4, Math.max(0.25, options.speed)),
        }),
      });
      if (!response.ok)
        return this.#clean(faultOfStatus(this.#api.name, response.status, await said(response)));
      const type = response.headers.get('content-type') ?? '';
      if (!/^(?:audio\/|application\/octet-stream)/.test(type)) {
        await response.body?.cancel();
        return vendorFault(this.#api.name, 'rejected', `the answer is ${type || 'of no type'}, not audio`);
      }
      emit({ type: 'usage', vendor: this.#api.name, model, characters: Array.from(text).length });
      const decoder = new SpeechDecoder(FORMAT, options.sampleRate);
      for await (const bytes of response.body ?? []) {
        more();
        const pcm = decoder.push(bytes);
        if (pcm.length > 0) emit({ type: 'audio', pcm });
      }
      const rest = decoder.end();
      if (rest.length > 0) emit({ type: 'audio', pcm: rest });
      return null;
    } catch (error) {
      if (late.signal.aborted) return vendorFault(this.#api.name, 'timeout', `silent for ${firstByteMs} ms`);
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the answer broke off';
      return vendorFault(this.#api.name, 'lost', code);
    } finally {
      clearTimeout(limit);
    }
  }

  #clean(fault: VendorFault): VendorFault {
    const { apiKey } = this.#settings;
    return apiKey === null || apiKey === ''
      ? fault
      : { ...fault, message: fault.message.replaceAll(apiKey, '***') };
  }
}

/** The message of a refusal. */
async function said(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > LONGEST_REFUSAL) break;
  }
  return /"message"\s*:\s*"([^"]{0,300})"/.exec(text)?.[1] ?? text.slice(0, LONGEST_REFUSAL);
}
