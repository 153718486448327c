import type { MediaSink } from '@callwright/rtp';

/** A fault of a sink ends its call alone: thrown into the leg, it would end the thread and all its calls. */
export function guardedSink(sink: MediaSink, onFault: (error: unknown, at: number) => void): MediaSink {
  return {
    onAudio(pcm, timestamp, concealed, at) {
      try {
        sink.onAudio(pcm, timestamp, concealed, at);
      } catch (error) {
        onFault(error, at);
      }
    },
    fill(out, at) {
      try {
        return sink.fill(out, at);
      } catch (error) {
        onFault(error, at);
        return false;
      }
    },
    onDtmf(digit, at) {
      try {
        sink.onDtmf(digit, at);
      } catch (error) {
        onFault(error, at);
      }
    },
    onText(text, at) {
      try {
        sink.onText?.(text, at);
      } catch (error) {
        onFault(error, at);
      }
    },
    onMediaTimeout(at) {
      try {
        sink.onMediaTimeout(at);
      } catch (error) {
        onFault(error, at);
      }
    },
  };
}
