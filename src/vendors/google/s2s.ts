import type { VendorSettings } from '../catalogue.ts';
import { google } from './facts.ts';
import type { ModelUsage } from '../../providers/ports/model.ts';
import { resultText } from '../../providers/llm/messages.ts';
import { socketUrl } from '../../providers/stt/dialect.ts';
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
import { liveSetup } from './s2s-setup.ts';

const NAME = 'gemini-live';
const PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const CHUNK_MS = 40;

/** Gemini Live: it ends turns and replies to them itself, and stops when it hears the caller. */
export const geminiS2s = (settings: VendorSettings): S2sVendor => {
  const model = settings.model ?? google.s2s.model.default;
  return {
    vendor: 'google',
    name: NAME,
    model,
    connect: (conversation) => new GeminiDialect(settings, model, conversation),
  };
};

class GeminiDialect implements S2sDialect {
  readonly url: string;
  readonly headers;
  readonly up;
  readonly down = { encoding: 'linear16', rate: 24_000 } as const;
  readonly repliesItself = true;
  readonly #model: string;
  readonly #setup: object;
  /** Session resumption handle; null: the session cannot be resumed. */
  #handle: string | null = null;
  /** Requested replies that have not started, and the current one. */
  #requested: string[] = [];
  #reply: string | null = null;
  #replies = 0;
  #turns = 0;
  #heard = '';
  /** The reply is complete, and its token use is still due. */
  #isSpoken = false;
  /** Token use of the turn so far, and its latest reply. */
  #usage: ModelUsage | null = null;
  #newest = '';

  constructor(settings: VendorSettings, model: string, conversation: S2sConversation) {
    this.url = socketUrl(settings.baseUrl, PATH).href;
    this.headers = { 'x-goog-api-key': settings.apiKey ?? '' };
    this.up = { encoding: 'linear16', rate: conversation.hearing.sampleRate, chunkMs: CHUNK_MS } as const;
    this.#model = model;
    this.#setup = liveSetup(settings, model, conversation);
  }

  begin(): string[] {
    const sessionResumption = this.#handle === null ? {} : { handle: this.#handle };
    return [JSON.stringify({ setup: { ...this.#setup, sessionResumption } })];
  }

  audio(chunk: Uint8Array): string {
    const data = Buffer.from(chunk).toString('base64');
    return JSON.stringify({ realtimeInput: { audio: { data, mimeType: `audio/pcm;rate=${this.up.rate}` } } });
  }

  endTurn(): string[] {
    return [];
  }

  add(role: 'caller' | 'agent', text: string): string[] {
    // Verbatim speech is already part of the vendor's conversation.
    if (role === 'agent') return [];
    return [content(text, false)];
  }

  toolResult(id: string, name: string, result: unknown): string[] {
    const response = { result: resultText(result) };
    return [JSON.stringify({ toolResponse: { functionResponses: [{ id, name, response }] } })];
  }

  reply(name: string, cause: ReplyCause): string[] {
    this.#requested.push(name);
    // The vendor continues without a request after a tool result.
    if (cause === 'tool') return [];
    return [content(cause === 'silence' ? '[silence]' : '[The caller is waiting for you.]', true)];
  }

  say(name: string, text: string): string[] {
    this.#requested.push(name);
    return [content(readAloudRequest(text), true)];
  }

  cancel(): string[] {
    return [];
  }

  truncate(): string[] {
    return [];
  }

  deleteReply(): string[] {
    return [];
  }

  renew(): boolean {
    this.#requested = [];
    this.#reply = null;
    this.#isSpoken = false;
    // The new connection re-hears the open utterance.
    this.#heard = '';
    return this.#handle !== null;
  }

  dropSession(): void {
    this.#handle = null;
  }

  replay(lines: readonly S2sUtterance[]): string[] {
    if (lines.length === 0) return [];
    const turns = lines.map(({ role, text }) => ({
      role: role === 'agent' ? 'model' : 'user',
      parts: [{ text }],
    }));
    return [JSON.stringify({ clientContent: { turns, turnComplete: false } })];
  }

  receive(text: string): readonly S2sEvent[] {
    const message = Fields.parse(text);
    if (message.has('setupComplete')) return [{ type: 'ready' }];
    const events: S2sEvent[] = [{ type: 'alive' }];
    if (message.has('usageMetadata')) this.#usage = this.#usageOf(message.of('usageMetadata'));
    if (message.has('serverContent')) events.push(...this.#onContent(message.of('serverContent')));
    const calls = message.of('toolCall').list('functionCalls');
    if (calls.length > 0) events.push(...this.#onTools(calls));
    if (this.#reply === null && !this.#isSpoken) events.push(...this.#used());
    if (message.has('sessionResumptionUpdate')) this.#onHandle(message.of('sessionResumptionUpdate'));
    if (message.has('goAway'))
      events.push({ type: 'going_away', ms: durationMs(message.of('goAway').text('timeLeft')) });
    return events;
  }

  /** A generating session cannot be resumed: the last handle still refers to the state before. */
  #onHandle(update: Fields): void {
    if (update.flag('resumable') && update.text('newHandle') !== '') this.#handle = update.text('newHandle');
  }

  #onContent(content: Fields): S2sEvent[] {
    const events: S2sEvent[] = [];
    const heard = content.of('inputTranscription').text('text');
    if (heard !== '') {
      this.#heard += heard;
      events.push({ type: 'words', turn: this.#turn, text: this.#heard, isFinal: false });
    }
    if (content.flag('interrupted')) {
      events.push({ type: 'speech' }, ...this.#end(false));
      return events;
    }
    const parts = content.of('modelTurn').list('parts');
    const said = content.of('outputTranscription').text('text');
    if (parts.length > 0 || said !== '') events.push(...this.#begin());
    const reply = this.#reply;
    if (reply !== null && said !== '') events.push({ type: 'text', reply, text: said });
    for (const part of reply === null ? [] : parts) {
      const data = part.of('inlineData').text('data');
      if (data !== '') events.push({ type: 'audio', reply: reply ?? '', bytes: Buffer.from(data, 'base64') });
    }
    if (content.flag('generationComplete')) {
      events.push(...this.#end(true));
      this.#isSpoken = true;
    }
    if (content.flag('turnComplete')) {
      events.push(...this.#end(true));
      this.#isSpoken = false;
      this.#nextTurn();
    }
    return events;
  }

  #onTools(calls: readonly Fields[]): S2sEvent[] {
    const events = this.#begin();
    for (const call of calls) {
      const args = call.record('args');
      events.push({
        type: 'tool',
        reply: this.#reply ?? '',
        id: call.text('id'),
        name: call.text('name'),
        args,
      });
    }
    return [...events, ...this.#end(true)];
  }

  /** Starts a reply: the oldest requested one, or else an unsolicited one. */
  #begin(): S2sEvent[] {
    if (this.#reply !== null || this.#isSpoken) return [];
    const requested = this.#requested.shift();
    this.#reply = requested ?? `a${++this.#replies}`;
    this.#newest = this.#reply;
    if (requested !== undefined) return [];
    return [
      { type: 'began', reply: this.#reply },
      { type: 'turn_ended', turn: this.#turn },
    ];
  }

  #end(isWhole: boolean): S2sEvent[] {
    const reply = this.#reply;
    this.#reply = null;
    if (!isWhole) {
      this.#isSpoken = false;
      this.#nextTurn();
    }
    return reply === null ? [] : [{ type: 'done', reply, isWhole }];
  }

  /** The vendor reports token use once, at the end of a turn. */
  #used(): S2sEvent[] {
    const usage = this.#usage;
    this.#usage = null;
    return usage === null ? [] : [{ type: 'used', reply: this.#newest, usage }];
  }

  get #turn(): string {
    return `t${this.#turns}`;
  }

  #nextTurn(): void {
    this.#turns += 1;
    this.#heard = '';
  }

  #usageOf(usage: Fields): ModelUsage {
    return {
      vendor: NAME,
      model: this.#model,
      inputTokens: usage.number('promptTokenCount'),
      cachedTokens: usage.number('cachedContentTokenCount'),
      outputTokens: usage.number('responseTokenCount'),
    };
  }
}

/** "9.5s" in milliseconds; 0: unreadable. */
function durationMs(text: string): number {
  const seconds = Number(/^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(text)?.[1] ?? 0);
  return Math.round(seconds * 1000);
}

const content = (text: string, turnComplete: boolean): string =>
  JSON.stringify({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete } });
