import type { LineRecogniser, Recogniser } from '../../../src/offline/callee/recogniser.ts';
import type { LlmProvider } from '../../../src/providers/ports/model.ts';
import type { SttProvider } from '../../../src/providers/ports/recogniser.ts';
import type { TtsProvider } from '../../../src/providers/ports/voice.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Runs `release` once, when the signal aborts or by the returned function. */
function once(signal: AbortSignal, release: () => void): () => void {
  signal.addEventListener('abort', release, { once: true });
  return release;
}

/** A synthesiser that returns each sentence immediately. */
export const virtualTts = (tts: TtsProvider, time: VirtualTime): TtsProvider => ({
  name: tts.name,
  open(options) {
    const session = tts.open(options);
    const stops = new Set<() => void>();
    return {
      begin() {
        const speech = session.begin();
        const own = new Set<() => void>();
        return {
          say(text, onEvent, voice) {
            const go = time.stop(`synthesis of "${text}"`);
            stops.add(go);
            own.add(go);
            speech.say(
              text,
              (event) => {
                onEvent(event);
                if (event.type === 'done' || event.type === 'failed') go();
              },
              voice,
            );
          },
          end: () => speech.end(),
          cancel() {
            speech.cancel();
            for (const go of own) go();
          },
        };
      },
      close() {
        session.close();
        for (const go of stops) go();
      },
    };
  },
  close: () => tts.close(),
});

/** A recogniser that answers `delayMs` of virtual time after the end of speech. Each utterance yields one event. */
export const virtualStt = (stt: SttProvider, time: VirtualTime, delayMs = 100): SttProvider => ({
  name: stt.name,
  understands: (language) => stt.understands(language),
  onlyPhrases: (language) => stt.onlyPhrases?.(language) ?? false,
  open(options) {
    const stops: (() => void)[] = [];
    const session = stt.open({
      ...options,
      onEvent(event) {
        if (event.type !== 'partial') stops.shift()?.();
        time.after(delayMs, () => {
          if (!closed) options.onEvent({ ...event, at: time.now() });
        });
      },
    });
    let isSpeaking = false;
    let closed = false;
    return {
      write: (frame, at) => session.write(frame, at),
      expect: (expected) => session.expect(expected),
      speechStarted(at) {
        isSpeaking = true;
        session.speechStarted(at);
      },
      speechEnded(at) {
        if (isSpeaking) stops.push(time.stop('recognition'));
        isSpeaking = false;
        session.speechEnded(at);
      },
      close() {
        closed = true;
        session.close();
        for (const go of stops) go();
      },
    };
  },
  close: () => stt.close(),
});

/** A model behind a network: while a request is pending, virtual time runs at real speed. */
export const pacedLlm = (llm: LlmProvider, time: VirtualTime): LlmProvider => ({
  name: llm.name,
  open(context) {
    const session = llm.open(context);
    return {
      ...(session.expectsFirst === undefined ? {} : { expectsFirst: session.expectsFirst }),
      ...(session.introduces === undefined ? {} : { introduces: session.introduces }),
      reply(request, onEvent) {
        const go = once(request.signal, time.pace());
        session.reply(request, (event) => {
          onEvent(event);
          if (event.type === 'done' || event.type === 'failed') go();
        });
      },
      close: () => session.close(),
    };
  },
  close: () => llm.close(),
});

/** The recogniser of the test callees: it decodes while virtual time stands still. */
export const virtualRecogniser = (
  recogniser: Pick<Recogniser, 'open'>,
  time: VirtualTime,
): Pick<Recogniser, 'open'> => ({
  open(sampleRate, onHeard) {
    let go: (() => void) | null = null;
    const line: LineRecogniser = recogniser.open(sampleRate, (text) => {
      if (!line.decoding) {
        go?.();
        go = null;
      }
      onHeard(text);
    });
    const hold = (): void => {
      if (line.decoding) go ??= time.stop('the callee’s recognition');
    };
    return {
      write(frame, quiet) {
        line.write(frame, quiet);
        hold();
      },
      begin: () => line.begin(),
      end() {
        line.end();
        hold();
      },
      get decoding() {
        return line.decoding;
      },
      close() {
        line.close();
        go?.();
      },
    };
  },
});
