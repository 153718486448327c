import { t } from '../words/words.ts';

/** The rate of the frames that the worklet captures. */
const CAPTURED_RATE = 16_000;

/** A captured frame at the rate of a call, 8 or 16 kHz. Halving takes the mean of two samples. */
export function atCallRate(pcm: Int16Array<ArrayBuffer>, rate: number): Int16Array<ArrayBuffer> {
  if (rate === CAPTURED_RATE) return pcm;
  return Int16Array.from({ length: pcm.length / 2 }, (_, n) =>
    Math.round(((pcm[2 * n] ?? 0) + (pcm[2 * n + 1] ?? 0)) / 2),
  );
}

/** A device that was opened ahead is given back after this time. */
const AHEAD_MS = 1_000;

/** The microphone's device. Rejects when the page may not use one. */
async function deviceStream(): Promise<MediaStream> {
  // Absent on pages without TLS.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) throw new Error(t('This page cannot use the microphone: it needs HTTPS.'));
  return devices
    .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, channelCount: 1 } })
    .catch(() => {
      throw new Error(t('The browser does not let this page use a microphone.'));
    });
}

/** Gives a device back as soon as it is open. */
function release(opening: Promise<MediaStream | null>): void {
  void opening
    .then((stream) => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    })
    .catch(() => {});
}

/** The microphone of this page as frames of 20 ms. `prepare` loads all that needs no permission, so that `open` is quick. */
export class Microphone {
  readonly #context: AudioContext;
  readonly #capture: AudioWorkletNode;
  #stream: MediaStream | null = null;
  #source: MediaStreamAudioSourceNode | null = null;
  #onFrame: (pcm: Int16Array<ArrayBuffer>) => void = () => {};
  /** The device that opens while the button goes down; null: none. */
  #ahead: Promise<MediaStream | null> | null = null;

  private constructor(context: AudioContext) {
    this.#context = context;
    this.#capture = new AudioWorkletNode(context, 'callwright-capture', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
    });
    this.#capture.port.addEventListener('message', ({ data }: MessageEvent<{ pcm: ArrayBuffer }>) =>
      this.#onFrame(new Int16Array(data.pcm)),
    );
    this.#capture.port.start();
  }

  /** Loads the worklet at `workletUrl`. Rejects when it cannot be loaded. */
  static async prepare(workletUrl: string): Promise<Microphone> {
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      await context.audioWorklet.addModule(workletUrl);
      return new Microphone(context);
    } catch (error) {
      void context.close();
      throw error;
    }
  }

  /** Whether the browser opens the microphone without asking the reader first. */
  static async isAllowed(): Promise<boolean> {
    // Browsers without this permission's name reject, pages without TLS have no `permissions`.
    const permissions = navigator.permissions as Permissions | undefined;
    const status = await permissions?.query({ name: 'microphone' }).catch(() => undefined);
    return status?.state === 'granted';
  }

  /**
   * Opens the device while the reader presses the button, for an `open` that follows at once; without one it is given back.
   * Does nothing where the browser would ask the reader first.
   */
  openAhead(): void {
    if (this.#ahead !== null) return;
    const ahead = Microphone.isAllowed().then((isAllowed) => (isAllowed ? deviceStream() : null));
    this.#ahead = ahead;
    ahead.catch(() => {});
    setTimeout(() => {
      if (this.#ahead !== ahead) return;
      this.#ahead = null;
      release(ahead);
    }, AHEAD_MS);
  }

  /** Sends frames to `onFrame` until `stop`. Rejects when the page may not use a microphone. */
  async open(onFrame: (pcm: Int16Array<ArrayBuffer>) => void): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const opening = ahead === null ? deviceStream() : ahead.then((opened) => opened ?? deviceStream());
    const [stream] = await Promise.all([opening, this.#context.resume()]);
    if (this.#context.state === 'closed') {
      for (const track of stream.getTracks()) track.stop();
      return;
    }
    this.stop();
    this.#stream = stream;
    this.#onFrame = onFrame;
    this.#source = this.#context.createMediaStreamSource(stream);
    this.#source.connect(this.#capture);
  }

  stop(): void {
    if (this.#ahead !== null) release(this.#ahead);
    this.#ahead = null;
    this.#onFrame = () => {};
    this.#source?.disconnect();
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#source = null;
    this.#stream = null;
  }

  /** Stops for good. */
  close(): void {
    this.stop();
    if (this.#context.state !== 'closed') void this.#context.close();
  }
}
