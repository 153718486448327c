import { FRAME_MS } from '@callwright/audio';
import type { Expected } from '@callwright/turns';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../providers/ports/recogniser.ts';
import { addUses, type AudioUse } from '../voice/measures.ts';

/** An utterance that was begun before is waited for this long. */
const LINGER_MS = 3_000;

type EarLanguages = Pick<SttOptions, 'language' | 'secondaryLanguage' | 'vocab'>;

/**
 * The recogniser of a call, which is opened anew for the languages of an agent that takes the call over: at once in a pause, and
 * otherwise behind the words that are under way. Audio times are those of the whole call.
 */
export class CallEars implements SttSession {
  readonly #stt: Pick<SttProvider, 'name' | 'open'>;
  #options: SttOptions;
  #session: SttSession;
  #expected: Expected | null = null;
  /** Of the audio that this and earlier sessions got, ms. */
  #audioMs = 0;
  #openedMs = 0;
  #earlier: readonly AudioUse[] = [];
  #isSpeaking = false;
  /** Speech has begun whose words are not final. */
  #owesWords = false;
  #next: { readonly languages: EarLanguages; readonly latest: number } | null = null;

  constructor(stt: Pick<SttProvider, 'name' | 'open'>, options: SttOptions) {
    this.#stt = stt;
    this.#options = options;
    this.#session = this.#open();
  }

  /** Hears these languages from now on. */
  follow(languages: EarLanguages, at: number): void {
    this.#next = { languages, latest: at + LINGER_MS };
  }

  write(frame: Int16Array, at: number): void {
    if (this.#next !== null && (!this.#owesWords || at >= this.#next.latest))
      this.#switch(this.#next.languages, at);
    this.#session.write(frame, at);
    this.#audioMs += FRAME_MS;
  }

  speechStarted(at: number): void {
    this.#isSpeaking = true;
    this.#owesWords = true;
    this.#session.speechStarted(at);
  }

  speechEnded(at: number): void {
    this.#isSpeaking = false;
    this.#session.speechEnded(at);
  }

  expect(expected: Expected | null): void {
    this.#expected = expected;
    this.#session.expect(expected);
  }

  usage(): readonly AudioUse[] {
    const own = { vendor: this.#stt.name, model: null, audioMs: this.#audioMs - this.#openedMs };
    return addUses(this.#earlier, this.#session.usage?.() ?? [own]);
  }

  close(): void {
    this.#session.close();
  }

  #switch(languages: EarLanguages, at: number): void {
    this.#next = null;
    this.#earlier = this.usage();
    this.#session.close();
    this.#openedMs = this.#audioMs;
    this.#options = { ...this.#options, ...languages };
    this.#session = this.#open();
    this.#session.expect(this.#expected);
    if (this.#isSpeaking) this.#session.speechStarted(at);
    else this.#owesWords = false;
  }

  #open(): SttSession {
    const openedMs = this.#openedMs;
    const session: { own?: SttSession } = {};
    session.own = this.#stt.open({
      ...this.#options,
      onEvent: (event) => {
        if (session.own === undefined || session.own === this.#session) this.#received(event, openedMs);
      },
    });
    return session.own;
  }

  #received(event: SttEvent, openedMs: number): void {
    const isWhole = event.type === 'final' || event.type === 'nothing' || event.type === 'failed';
    if (isWhole && !this.#isSpeaking) this.#owesWords = false;
    this.#options.onEvent(openedMs === 0 ? event : inCallTime(event, openedMs));
  }
}

/** The event with audio times since the beginning of the call. */
function inCallTime(event: SttEvent, openedMs: number): SttEvent {
  if (!('text' in event)) return event;
  const { audioMs, words } = event;
  return {
    ...event,
    audioMs: audioMs === null ? null : audioMs + openedMs,
    ...(words === undefined
      ? {}
      : {
          words: words.map((word) => ({
            ...word,
            startMs: word.startMs + openedMs,
            endMs: word.endMs + openedMs,
          })),
        }),
  };
}
