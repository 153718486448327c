import type { VendorSettings } from '../catalogue.ts';
import { google } from './facts.ts';
import type { ModelUsage } from '../../providers/ports/model.ts';
import { resultText } from '../../providers/llm/messages.ts';
import { socketUrl } from '../../providers/stt/dialect.ts';
import { Fields } from '@callwright/fields';
import {
  readAloudRequest,
  type S2sCue,
  type S2sDialect,
  type S2sLineOfTalk,
  type S2sNews,
  type S2sTalk,
  type S2sVendor,
} from '../../providers/s2s/dialect.ts';
import { liveSetup } from './s2s-setup.ts';

const NAME = 'gemini-live';
const PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const CHUNK_MS = 40;

/** Gemini Live: it ends turns and replies to them itself, and stops when it hears the caller. */
export const geminiS2s = (settings: VendorSettings): S2sVendor => {
  const model = settings.model ?? google.s2s.model.default;
  return { vendor: 'google', name: NAME, model, connect: (talk) => new GeminiDialect(settings, model, talk) };
};

class GeminiDialect implements S2sDialect {
  readonly url: string;
  readonly headers;
  readonly up;
  readonly down = { encoding: 'linear16', rate: 24_000 } as const;
  readonly repliesItself = true;
  readonly #model: string;
  readonly #setup: object;
  /** The vendor's name for what it remembers of the session; null: nothing that can be taken up again. */
  #handle: string | null = null;
  /** Replies that were asked for and have not begun, and the one under way. */
  #asked: string[] = [];
  #reply: string | null = null;
  #replies = 0;
  #turns = 0;
  #heard = '';
  /** The reply is whole, and the vendor still counts its turn. */
  #isSpoken = false;
  /** What the turn cost so far, and its newest reply. */
  #usage: ModelUsage | null = null;
  #newest = '';

  constructor(settings: VendorSettings, model: string, talk: S2sTalk) {
    this.url = socketUrl(settings.baseUrl, PATH).href;
    this.headers = { 'x-goog-api-key': settings.apiKey ?? '' };
    this.up = { encoding: 'linear16', rate: talk.hearing.sampleRate, chunkMs: CHUNK_MS } as const;
    this.#model = model;
    this.#setup = liveSetup(settings, model, talk);
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
    // What the vendor read aloud is in its conversation already.
    if (role === 'agent') return [];
    return [content(text, false)];
  }

  toolResult(id: string, name: string, result: unknown): string[] {
    const response = { result: resultText(result) };
    return [JSON.stringify({ toolResponse: { functionResponses: [{ id, name, response }] } })];
  }

  reply(name: string, cue: S2sCue): string[] {
    this.#asked.push(name);
    // It goes on by itself after the result of a tool.
    if (cue === 'tool') return [];
    return [content(cue === 'silence' ? '[silence]' : '[The caller is waiting for you.]', true)];
  }

  say(name: string, text: string): string[] {
    this.#asked.push(name);
    return [content(readAloudRequest(text), true)];
  }

  cancel(): string[] {
    return [];
  }

  truncate(): string[] {
    return [];
  }

  forget(): string[] {
    return [];
  }

  renew(): boolean {
    this.#asked = [];
    this.#reply = null;
    this.#isSpoken = false;
    // What the caller says now is heard again from its beginning.
    this.#heard = '';
    return this.#handle !== null;
  }

  forgetSession(): void {
    this.#handle = null;
  }

  retell(lines: readonly S2sLineOfTalk[]): string[] {
    if (lines.length === 0) return [];
    const turns = lines.map(({ role, text }) => ({
      role: role === 'agent' ? 'model' : 'user',
      parts: [{ text }],
    }));
    return [JSON.stringify({ clientContent: { turns, turnComplete: false } })];
  }

  receive(text: string): readonly S2sNews[] {
    const message = Fields.parse(text);
    if (message.has('setupComplete')) return [{ type: 'ready' }];
    const news: S2sNews[] = [{ type: 'alive' }];
    if (message.has('usageMetadata')) this.#usage = this.#usageOf(message.of('usageMetadata'));
    if (message.has('serverContent')) news.push(...this.#onContent(message.of('serverContent')));
    const calls = message.of('toolCall').list('functionCalls');
    if (calls.length > 0) news.push(...this.#onTools(calls));
    if (this.#reply === null && !this.#isSpoken) news.push(...this.#used());
    if (message.has('sessionResumptionUpdate')) this.#onHandle(message.of('sessionResumptionUpdate'));
    if (message.has('goAway'))
      news.push({ type: 'leaving', ms: durationMs(message.of('goAway').text('timeLeft')) });
    return news;
  }

  /** While it generates, a session cannot be taken up again: the last handle still holds what was before. */
  #onHandle(update: Fields): void {
    if (update.flag('resumable') && update.text('newHandle') !== '') this.#handle = update.text('newHandle');
  }

  #onContent(content: Fields): S2sNews[] {
    const news: S2sNews[] = [];
    const heard = content.of('inputTranscription').text('text');
    if (heard !== '') {
      this.#heard += heard;
      news.push({ type: 'words', turn: this.#turn, text: this.#heard, isFinal: false });
    }
    if (content.flag('interrupted')) {
      news.push({ type: 'speech' }, ...this.#end(false));
      return news;
    }
    const parts = content.of('modelTurn').list('parts');
    const said = content.of('outputTranscription').text('text');
    if (parts.length > 0 || said !== '') news.push(...this.#begin());
    const reply = this.#reply;
    if (reply !== null && said !== '') news.push({ type: 'text', reply, text: said });
    for (const part of reply === null ? [] : parts) {
      const data = part.of('inlineData').text('data');
      if (data !== '') news.push({ type: 'audio', reply: reply ?? '', bytes: Buffer.from(data, 'base64') });
    }
    if (content.flag('generationComplete')) {
      news.push(...this.#end(true));
      this.#isSpoken = true;
    }
    if (content.flag('turnComplete')) {
      news.push(...this.#end(true));
      this.#isSpoken = false;
      this.#nextTurn();
    }
    return news;
  }

  #onTools(calls: readonly Fields[]): S2sNews[] {
    const news = this.#begin();
    for (const call of calls) {
      const args = call.record('args');
      news.push({
        type: 'tool',
        reply: this.#reply ?? '',
        id: call.text('id'),
        name: call.text('name'),
        args,
      });
    }
    return [...news, ...this.#end(true)];
  }

  /** The vendor begins to reply: to the caller, unless it was asked. */
  #begin(): S2sNews[] {
    if (this.#reply !== null || this.#isSpoken) return [];
    const asked = this.#asked.shift();
    this.#reply = asked ?? `a${++this.#replies}`;
    this.#newest = this.#reply;
    if (asked !== undefined) return [];
    return [
      { type: 'began', reply: this.#reply },
      { type: 'turn_ended', turn: this.#turn },
    ];
  }

  #end(isWhole: boolean): S2sNews[] {
    const reply = this.#reply;
    this.#reply = null;
    if (!isWhole) {
      this.#isSpoken = false;
      this.#nextTurn();
    }
    return reply === null ? [] : [{ type: 'done', reply, isWhole }];
  }

  /** The vendor counts a turn as a whole, and says so at its end. */
  #used(): S2sNews[] {
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

/** "9.5s" in milliseconds; 0: it cannot be read. */
function durationMs(text: string): number {
  const seconds = Number(/^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(text)?.[1] ?? 0);
  return Math.round(seconds * 1000);
}

const content = (text: string, turnComplete: boolean): string =>
  JSON.stringify({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete } });
