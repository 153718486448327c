import { FakeSpeech, type SpeechFormat, type SpeechPiece } from './fake-speech.ts';
import type { FakeSettings } from './fake-vendor.ts';
import { replyTo, spokenUsage, type FakePrompt, type FakeReply, type FakeUsage } from './model-reply.ts';

type Line = FakePrompt['lines'][number] & { readonly id: string };

/** What a fake speech-to-speech model remembers. */
export class FakeConversation {
  #lines: Line[];

  constructor(lines: readonly Line[] = []) {
    this.#lines = [...lines];
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  add(id: string, role: Line['role'], text: string): void {
    this.#lines.push({ id, role, text });
  }

  /** Changes the text of a line; null: removes it. False: there is no such line. */
  change(id: string, text: ((before: string) => string) | null): boolean {
    const line = this.#lines.find((one) => one.id === id);
    if (line === undefined) return false;
    this.#lines = this.#lines.flatMap((one) =>
      one !== line ? [one] : text === null ? [] : [{ ...one, text: text(one.text) }],
    );
    return true;
  }

  next(settings: FakeSettings): FakeReply {
    return replyTo({ lines: this.#lines }, settings.replies);
  }

  usage(text: string): FakeUsage {
    return spokenUsage({ lines: this.#lines }, text);
  }
}

/** The line between the marks of a request to read it aloud; null: it is none. */
export function lineToRead(request: string): string | null {
  const from = request.indexOf('«');
  const to = request.indexOf('»', from);
  return from < 0 || to < 0 ? null : request.slice(from + 1, to);
}

/** Speaks a text; `onEnd` follows the last piece. Returns what stops it. */
export function speakReply(
  settings: FakeSettings,
  format: SpeechFormat,
  text: string,
  { onPiece, onEnd }: { onPiece: (piece: SpeechPiece) => void; onEnd: () => void },
): () => void {
  const speech = new FakeSpeech(settings, format, { onPiece, onMark: onEnd });
  speech.say(text);
  speech.mark('end');
  return () => speech.stop();
}

/** The words that begin in a piece, each with the space after it. */
export const wordsOfPiece = ({ words }: SpeechPiece): string => words.map(({ text }) => `${text} `).join('');
