import { recogniserCode } from '../recogniser-languages.ts';
import type { VendorSettings } from '../catalogue.ts';
import { joinText } from '@callwright/turns';
import type { SttOptions } from '../../providers/ports/recogniser.ts';
import { vendorFault, type FaultKind, type VendorFault } from '../../providers/wire/fault.ts';
import { Fields } from '@callwright/fields';
import {
  COMMIT_MS,
  socketUrl,
  type SttDialect,
  type SttVendorEvent,
  type SttVendor,
} from '../../providers/stt/dialect.ts';

const CHUNK_MS = 100;
export const TRANSCRIBING_MODEL = 'gpt-live-transcribe';
/** Models that take several languages and key words. */
const TAKES_LISTS = /^gpt-(?:live-)?transcribe$/;
const LONGEST_PROMPT = 800;

/** OpenAI's realtime transcription: our own end of speech commits each utterance. */
export const openaiRealtimeStt = (settings: VendorSettings): SttVendor => ({
  name: 'openai',
  understands: (language) => recogniserCode('openai', settings.model, language) !== null,
  connect: (options) => new OpenAiDialect(settings, options),
});

class OpenAiDialect implements SttDialect {
  readonly url: string;
  readonly headers;
  readonly model: string;
  readonly format;
  readonly greets = true;
  readonly answers = 'after-speech';
  readonly end = [];
  readonly endMs = COMMIT_MS;
  readonly #session: unknown;
  readonly #items = new Items();
  /** Audio sent, ms, and at each commit that has no item yet. */
  #sentMs = 0;
  readonly #commits: number[] = [];

  constructor(settings: VendorSettings, options: Omit<SttOptions, 'onEvent'>) {
    const url = socketUrl(settings.baseUrl, '/v1/realtime');
    url.searchParams.set('intent', 'transcription');
    this.url = url.href;
    this.headers = { authorization: `Bearer ${settings.apiKey ?? ''}` };
    this.model = settings.model ?? TRANSCRIBING_MODEL;
    const isPhone = options.sampleRate === 8000;
    this.format = isPhone
      ? ({ encoding: 'mulaw', rate: 8000, chunkMs: CHUNK_MS } as const)
      : ({ encoding: 'linear16', rate: 24_000, chunkMs: CHUNK_MS } as const);
    this.#session = {
      type: 'transcription',
      audio: {
        input: {
          format: isPhone ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: 24_000 },
          transcription: transcription(this.model, options),
          turn_detection: null,
        },
      },
    };
  }

  begin(): string[] {
    return [JSON.stringify({ type: 'session.update', session: this.#session })];
  }

  audio(chunk: Uint8Array): string {
    const bytesPerMs = this.format.encoding === 'mulaw' ? 8 : 48;
    this.#sentMs += chunk.length / bytesPerMs;
    return JSON.stringify({
      type: 'input_audio_buffer.append',
      audio: Buffer.from(chunk).toString('base64'),
    });
  }

  speechEnded(): string[] {
    this.#commits.push(this.#sentMs);
    return ['{"type":"input_audio_buffer.commit"}'];
  }

  receive(text: string): readonly SttVendorEvent[] {
    const message = Fields.parse(text);
    const item = message.text('item_id');
    switch (message.text('type')) {
      case 'session.updated':
        return [{ type: 'ready' }];
      case 'input_audio_buffer.committed':
        this.#items.commit(item, message.text('previous_item_id'), this.#commits.shift() ?? this.#sentMs);
        return [{ type: 'alive' }];
      case 'conversation.item.input_audio_transcription.delta':
        return [{ type: 'partial', text: this.#items.grow(item, message.text('delta')), audioMs: null }];
      case 'conversation.item.input_audio_transcription.completed': {
        const [language] = message.list('languages').map((entry) => entry.text('code'));
        return this.#items.complete(item, message.text('transcript').trim(), language ?? null);
      }
      case 'conversation.item.input_audio_transcription.failed':
        return this.#items.complete(item, '', null);
      case 'error':
        return [this.#errorEvent(message.of('error'))];
      default:
        return [{ type: 'alive' }];
    }
  }

  #errorEvent(error: Fields): SttVendorEvent {
    const code = error.text('code') || error.text('type');
    if (code === 'input_audio_buffer_commit_empty') {
      this.#commits.shift();
      return { type: 'nothing' };
    }
    const fault = realtimeFault('openai', error);
    return fault === null ? { type: 'alive' } : { type: 'fault', fault };
  }
}

/** The fault that an error of the realtime API names; null: the session continues. */
export function realtimeFault(vendor: string, error: Fields): VendorFault | null {
  const code = error.text('code') || error.text('type');
  const kind = FATAL[code];
  return kind === undefined ? null : vendorFault(vendor, kind, error.text('message') || code);
}

const FATAL: Readonly<Record<string, FaultKind>> = {
  invalid_api_key: 'key',
  account_deactivated: 'key',
  insufficient_quota: 'credit',
  billing_hard_limit_reached: 'credit',
  rate_limit_exceeded: 'limit',
  invalid_model: 'rejected',
  model_not_found: 'rejected',
  invalid_value: 'rejected',
  server_error: 'lost',
  session_expired: 'lost',
};

/** Transcription settings for the languages of a call. */
export function transcription(
  model: string,
  { language, secondaryLanguage, vocab }: Omit<SttOptions, 'onEvent'>,
) {
  const spoken = [language, ...(secondaryLanguage === null ? [] : [secondaryLanguage])];
  const codes = [...new Set(spoken.flatMap((one) => recogniserCode('openai', model, one) ?? []))];
  if (TAKES_LISTS.test(model)) {
    return {
      model,
      languages: codes,
      ...(vocab.length === 0 ? {} : { keywords: vocab.slice(0, 100) }),
    };
  }
  const prompt = vocab.join(', ').slice(0, LONGEST_PROMPT);
  const hint = prompt === '' || model === 'gpt-realtime-whisper' ? {} : { prompt };
  return { model, ...(codes.length === 1 ? { language: codes[0] } : {}), ...hint };
}

interface Item {
  readonly id: string;
  text: string;
  audioMs: number | null;
  isComplete: boolean;
  language: string | null;
}

/** Utterances in the order they were committed; their transcripts may complete in another one. */
class Items {
  #items: Item[] = [];

  #of(id: string): Item {
    let item = this.#items.find((one) => one.id === id);
    if (item === undefined) {
      item = { id, text: '', audioMs: null, isComplete: false, language: null };
      this.#items.push(item);
    }
    return item;
  }

  commit(id: string, after: string, audioMs: number): void {
    const item = this.#of(id);
    item.audioMs = audioMs;
    const rest = this.#items.filter((one) => one !== item);
    const place = rest.findIndex((one) => one.id === after);
    // Without its predecessor, which is complete, it follows those that were committed before.
    const committed = rest.findLastIndex((one) => one.audioMs !== null);
    rest.splice((place < 0 ? committed : place) + 1, 0, item);
    this.#items = rest;
  }

  /** Adds words that may still change; returns all open words. */
  grow(id: string, delta: string): string {
    this.#of(id).text += delta;
    return joinText(this.#items.filter((one) => !one.isComplete).map((one) => one.text.trim()));
  }

  /** Finals, as far as everything before them is complete. */
  complete(id: string, text: string, language: string | null): SttVendorEvent[] {
    Object.assign(this.#of(id), { text, language, isComplete: true });
    const events: SttVendorEvent[] = [];
    while (this.#items[0]?.isComplete === true) {
      const item = this.#items.shift() as Item;
      events.push(
        item.text === ''
          ? { type: 'nothing' }
          : {
              type: 'final',
              text: item.text,
              confidence: null,
              audioMs: item.audioMs,
              ...(item.language === null ? {} : { language: item.language }),
            },
      );
    }
    return events.length === 0 ? [{ type: 'alive' }] : events;
  }
}
