import type { VendorSettings } from '../catalogue.ts';
import { openai } from './facts.ts';
import type { ModelUsage } from '../../providers/ports/model.ts';
import { resultText } from '../../providers/llm/messages.ts';
import { socketUrl } from '../../providers/stt/dialect.ts';
import { realtimeFault } from './stt.ts';
import type { WireFormat } from '../../providers/stt/wire-audio.ts';
import type { SpeechFormat } from '../../providers/tts/speech-decoder.ts';
import { Fields } from '@callwright/fields';
import {
  readAloudRequest,
  type ReplyCause,
  type S2sDialect,
  type S2sUtterance,
  type S2sEvent,
  type S2sConversation,
  type S2sVendor,
} from '../../providers/s2s/dialect.ts';
import { realtimeSession } from './s2s-session.ts';
import { toolCall } from './s2s-tool-call.ts';

const NAME = 'openai-realtime';
const CHUNK_MS = 40;

const formatOf = (isPhone: boolean) =>
  isPhone ? ({ encoding: 'mulaw', rate: 8000 } as const) : ({ encoding: 'linear16', rate: 24_000 } as const);

/** OpenAI Realtime: it ends turns and transcribes them; the session requests each reply. */
export const openaiS2s = (settings: VendorSettings): S2sVendor => {
  const model = settings.model ?? openai.s2s.model.default;
  return {
    vendor: 'openai',
    name: NAME,
    model,
    connect: (conversation) => new OpenaiDialect(settings, model, conversation),
  };
};

const json = (type: string, more: object = {}): string => JSON.stringify({ type, ...more });

class OpenaiDialect implements S2sDialect {
  readonly url: string;
  readonly headers;
  readonly up: WireFormat;
  readonly down: SpeechFormat;
  readonly repliesItself = false;
  readonly #model: string;
  readonly #session: unknown;
  /** Our reply names by the vendor's ids, and the items of each reply. */
  readonly #names = new Map<string, string>();
  readonly #items = new Map<string, { readonly id: string; readonly isMessage: boolean }[]>();
  /** The current reply (the vendor allows one at a time), and the one queued behind it. */
  #active: string | null = null;
  #waiting: { readonly name: string; readonly message: string } | null = null;

  constructor(settings: VendorSettings, model: string, { context, hearing, voice }: S2sConversation) {
    const url = socketUrl(settings.baseUrl, '/v1/realtime');
    url.searchParams.set('model', model);
    this.url = url.href;
    this.headers = { authorization: `Bearer ${settings.apiKey ?? ''}` };
    this.#model = model;
    const isPhone = hearing.sampleRate === 8000;
    this.up = { ...formatOf(isPhone), chunkMs: CHUNK_MS };
    this.down = formatOf(isPhone);
    this.#session = realtimeSession(settings, { context, hearing, voice });
  }

  begin(): string[] {
    return [json('session.update', { session: this.#session })];
  }

  audio(chunk: Uint8Array): string {
    return json('input_audio_buffer.append', { audio: Buffer.from(chunk).toString('base64') });
  }

  endTurn(): string[] {
    return [json('input_audio_buffer.commit')];
  }

  add(role: 'caller' | 'agent', text: string): string[] {
    const item =
      role === 'caller'
        ? { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
        : { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
    return [json('conversation.item.create', { item })];
  }

  toolResult(id: string, _name: string, result: unknown): string[] {
    const item = { type: 'function_call_output', call_id: id, output: resultText(result) };
    return [json('conversation.item.create', { item })];
  }

  reply(name: string, cause: ReplyCause): string[] {
    const silent = cause === 'silence';
    const before = silent ? this.add('caller', '[silence]') : [];
    const response = { metadata: { name }, ...(silent ? { tool_choice: 'none' } : {}) };
    const message = json('response.create', { response });
    if (this.#active !== null) {
      this.#waiting = { name, message };
      return before;
    }
    this.#active = name;
    return [...before, message];
  }

  say(name: string, text: string): string[] {
    const response = {
      conversation: 'none',
      metadata: { name },
      input: [],
      tools: [],
      tool_choice: 'none',
      instructions: readAloudRequest(text),
    };
    return [json('response.create', { response })];
  }

  cancel(name: string): string[] {
    if (this.#waiting?.name === name) {
      this.#waiting = null;
      return [];
    }
    const id = [...this.#names].find(([, known]) => known === name)?.[0];
    if (id === undefined && this.#active !== name) return [];
    return [json('response.cancel', id === undefined ? {} : { response_id: id })];
  }

  truncate(name: string, audioMs: number): string[] {
    const item = this.#items.get(name)?.find(({ isMessage }) => isMessage);
    if (item === undefined) return [];
    return [
      json('conversation.item.truncate', { item_id: item.id, content_index: 0, audio_end_ms: audioMs }),
    ];
  }

  deleteReply(name: string): string[] {
    return (this.#items.get(name) ?? []).map(({ id }) => json('conversation.item.delete', { item_id: id }));
  }

  /** The vendor cannot resume sessions. */
  renew(): boolean {
    this.#names.clear();
    this.#items.clear();
    this.#active = null;
    this.#waiting = null;
    return false;
  }

  dropSession(): void {}

  replay(lines: readonly S2sUtterance[]): string[] {
    return lines.flatMap(({ role, text }) => this.add(role, text));
  }

  receive(text: string): readonly S2sEvent[] {
    const message = Fields.parse(text);
    const reply = this.#names.get(message.text('response_id')) ?? '';
    const turn = message.text('item_id');
    switch (message.text('type')) {
      case 'session.updated':
        return [{ type: 'ready' }];
      case 'input_audio_buffer.speech_started':
        return [{ type: 'speech' }];
      case 'input_audio_buffer.committed':
        return [{ type: 'turn_ended', turn }];
      case 'conversation.item.input_audio_transcription.completed':
        return [{ type: 'words', turn, text: message.text('transcript').trim(), isFinal: true }];
      case 'conversation.item.input_audio_transcription.failed':
        return [{ type: 'words', turn, text: null, isFinal: true }];
      case 'response.created': {
        const response = message.of('response');
        this.#names.set(response.text('id'), response.of('metadata').text('name'));
        return [{ type: 'alive' }];
      }
      case 'response.output_item.added':
        return this.#onItem(reply, message.of('item'));
      case 'response.output_item.done':
        return toolCall(reply, message.of('item'));
      // Servers of the older API leave out `output_`.
      case 'response.output_audio.delta':
      case 'response.audio.delta':
        return [{ type: 'audio', reply, bytes: Buffer.from(message.text('delta'), 'base64') }];
      case 'response.output_audio_transcript.delta':
      case 'response.audio_transcript.delta':
        return [{ type: 'text', reply, text: message.text('delta') }];
      case 'response.done':
        return this.#onDone(message.of('response'));
      case 'error':
        return this.#onError(message.of('error'));
      default:
        return [{ type: 'alive' }];
    }
  }

  #onItem(reply: string, item: Fields): readonly S2sEvent[] {
    const items = this.#items.get(reply) ?? [];
    this.#items.set(reply, [...items, { id: item.text('id'), isMessage: item.text('type') === 'message' }]);
    return [{ type: 'alive' }];
  }

  #onDone(response: Fields): readonly S2sEvent[] {
    const id = response.text('id');
    const reply = this.#names.get(id) ?? '';
    this.#names.delete(id);
    const status = response.text('status');
    const fault = realtimeFault(NAME, response.of('status_details').of('error'));
    const events: S2sEvent[] =
      status === 'failed' && fault !== null
        ? [{ type: 'fault', fault }]
        : [
            { type: 'done', reply, isWhole: status === 'completed' || status === 'incomplete' },
            ...this.#used(reply, response.of('usage')),
          ];
    if (this.#active === reply) events.push(...this.#next());
    return events;
  }

  #next(): readonly S2sEvent[] {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#active = waiting?.name ?? null;
    return waiting === null ? [] : [{ type: 'send', messages: [waiting.message] }];
  }

  #onError(error: Fields): readonly S2sEvent[] {
    if (error.text('code') === 'input_audio_buffer_commit_empty') return [{ type: 'nothing' }];
    if (error.text('code') === 'session_expired') return [{ type: 'going_away', ms: 0 }];
    const fault = realtimeFault(NAME, error);
    return fault === null ? [{ type: 'alive' }] : [{ type: 'fault', fault }];
  }

  #used(reply: string, usage: Fields): S2sEvent[] {
    const inputTokens = usage.number('input_tokens');
    if (inputTokens === null) return [];
    const used: ModelUsage = {
      vendor: NAME,
      model: this.#model,
      inputTokens,
      cachedTokens: usage.of('input_token_details').number('cached_tokens'),
      outputTokens: usage.number('output_tokens'),
    };
    return [{ type: 'used', reply, usage: used }];
  }
}
