/** The rate of the frames that the worklet captures. */
const CAPTURED_RATE = 16_000;

/** A captured frame at the rate of a call, 8 or 16 kHz. Halving takes the mean of two samples. */
export function atCallRate(pcm: Int16Array<ArrayBuffer>, rate: number): Int16Array<ArrayBuffer> {
  if (rate === CAPTURED_RATE) return pcm;
  return Int16Array.from({ length: pcm.length / 2 }, (_, n) =>
    Math.round(((pcm[2 * n] ?? 0) + (pcm[2 * n + 1] ?? 0)) / 2),
  );
}

/** The microphone of this page as frames of 20 ms. */
export class Microphone {
  readonly #context: AudioContext;
  readonly #stream: MediaStream;

  private constructor(context: AudioContext, stream: MediaStream) {
    this.#context = context;
    this.#stream = stream;
  }

  /** Rejects when the page may not use a microphone. */
  static async open(
    workletUrl: string,
    onFrame: (pcm: Int16Array<ArrayBuffer>) => void,
  ): Promise<Microphone> {
    // Absent on pages without TLS.
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    if (devices === undefined) throw new Error('This page cannot use the microphone: it needs HTTPS.');
    const stream = await devices
      .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, channelCount: 1 } })
      .catch(() => {
        throw new Error('The browser does not let this page use a microphone.');
      });
    const context = new AudioContext({ latencyHint: 'interactive' });
    const microphone = new Microphone(context, stream);
    try {
      await context.audioWorklet.addModule(workletUrl);
      await context.resume();
      const capture = new AudioWorkletNode(context, 'callwright-capture', {
        numberOfOutputs: 0,
        channelCount: 1,
        channelCountMode: 'explicit',
      });
      capture.port.addEventListener('message', ({ data }: MessageEvent<{ pcm: ArrayBuffer }>) =>
        onFrame(new Int16Array(data.pcm)),
      );
      capture.port.start();
      context.createMediaStreamSource(stream).connect(capture);
    } catch (error) {
      microphone.stop();
      throw error;
    }
    return microphone;
  }

  stop(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close();
  }
}
