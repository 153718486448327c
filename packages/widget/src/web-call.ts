import type { FromCapture, FromPlayer } from './worklet-messages.ts';

/** The service's answer to a page that begins a call. */
export interface Opened {
  readonly call_id: string;
  readonly token: string;
  readonly ws_url: string;
}

export interface Line {
  readonly role: 'agent' | 'caller';
  readonly text: string;
  readonly by: 'speech' | 'keypad' | 'text';
  readonly interrupted: boolean;
}

/** Why a call could not begin or go on; `message` is for people. */
export class CallError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type CallState = 'connecting' | 'live' | 'away' | 'ended';

export interface WebCallOptions {
  /** Begins the call at the service. Throws a `CallError`. */
  readonly open: () => Promise<Opened>;
  /** The audio worklet's script; null: the caller types, without audio in either direction. */
  readonly workletUrl: string | null;
  readonly onState: (state: CallState, reason: string | null) => void;
  readonly onLine: (line: Line) => void;
  /** Words of the caller as they are recognised, before their line; `isFinal`: they no longer change. */
  readonly onWords?: (text: string, isFinal: boolean) => void;
  /** Loudness of the microphone, 0 to 1, fifty times a second. */
  readonly onLevel?: (level: number) => void;
  /** The audio of an interrupted agent fell silent after this many ms. */
  readonly onFlush?: (ms: number) => void;
}

const PROTOCOL = 'callwright.1';
/** A cut connection may be resumed for this long. */
const AWAY_MS = 5_000;
const RETRY_MS = 400;
const LEAVE_MS = 2_000;

interface Audio {
  readonly context: AudioContext;
  readonly stream: MediaStream;
  readonly capture: AudioWorkletNode;
  readonly playback: AudioWorkletNode;
}

/** One call of this page with an agent: microphone, loudspeaker and WebSocket. */
export class WebCall {
  readonly #options: WebCallOptions;
  #audio: Audio | null = null;
  #socket: WebSocket | null = null;
  #opened: Opened | null = null;
  #resume: string | null = null;
  #state: CallState = 'connecting';
  #awaySince = 0;
  #reason: string | null = null;

  constructor(options: WebCallOptions) {
    this.#options = options;
  }

  get state(): CallState {
    return this.#state;
  }

  /** The call and the token that began it, with which its caller may rate it. */
  get opened(): Opened | null {
    return this.#opened;
  }

  /** Asks for the microphone first, so that a refusal begins no call. Throws a `CallError`. */
  async start(): Promise<void> {
    try {
      const { workletUrl } = this.#options;
      if (workletUrl !== null) this.#audio = await openAudio(workletUrl);
      this.#opened = await this.#options.open();
      if (this.#state === 'ended') return;
      if (this.#audio !== null) this.#wire(this.#audio);
      this.#connect(this.#opened.token);
    } catch (error) {
      this.#end(null);
      throw error instanceof CallError ? error : new CallError('failed', String(error));
    }
  }

  send(text: string): void {
    this.#tell({ type: 'text', text });
  }

  press(digit: string): void {
    this.#tell({ type: 'dtmf', digit });
  }

  mute(isMuted: boolean): void {
    this.#audio?.capture.port.postMessage(isMuted);
  }

  stop(): void {
    this.#tell({ type: 'hangup' });
    const socket = this.#socket;
    // The service closes the connection once the call has ended; without it the page does.
    setTimeout(() => socket?.close(1000), LEAVE_MS);
    this.#end('USER_LEFT');
  }

  #tell(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #wire({ capture, playback }: Audio): void {
    capture.port.addEventListener('message', ({ data }: MessageEvent<FromCapture>) => {
      this.#options.onLevel?.(data.level);
      // Unsent audio would arrive too late: the call goes on without it.
      const socket = this.#socket;
      if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < 32_000) socket.send(data.pcm);
    });
    capture.port.start();
    playback.port.addEventListener('message', ({ data }: MessageEvent<FromPlayer>) =>
      this.#options.onFlush?.(data.flushedMs),
    );
    playback.port.start();
  }

  #connect(token: string): void {
    const socket = new WebSocket(this.#opened?.ws_url ?? '', [PROTOCOL, `token.${token}`]);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string') this.#receive(JSON.parse(data) as Message);
      else this.#audio?.playback.port.postMessage(data, [data]);
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#onClose(code);
    });
  }

  #receive(message: Message): void {
    switch (message.type) {
      case 'ready':
        this.#resume = message.resume;
        this.#set('live');
        return;
      case 'line':
        this.#options.onLine(message);
        return;
      case 'words':
        this.#options.onWords?.(message.text, message.final);
        return;
      case 'clear':
        this.#audio?.playback.port.postMessage('clear');
        return;
      case 'ended':
        this.#reason = message.reason;
        return;
      case 'keys':
        return;
      default:
        message satisfies never;
    }
  }

  #onClose(code: number): void {
    if (this.#state === 'ended') return;
    if (code === 1000 || this.#reason !== null) return this.#end(this.#reason);
    const now = performance.now();
    if (this.#state !== 'away') {
      this.#awaySince = now;
      this.#set('away');
    }
    if (this.#resume === null || now - this.#awaySince > AWAY_MS) return this.#end('CONNECTION_LOST');
    const resume = this.#resume;
    setTimeout(() => {
      if (this.#state === 'away') this.#connect(resume);
    }, RETRY_MS);
  }

  #set(state: CallState): void {
    if (this.#state === 'ended') return;
    this.#state = state;
    this.#options.onState(state, this.#reason);
  }

  #end(reason: string | null): void {
    if (this.#state === 'ended') return;
    this.#reason ??= reason;
    this.#set('ended');
    for (const track of this.#audio?.stream.getTracks() ?? []) track.stop();
    void this.#audio?.context.close();
    this.#audio = null;
  }
}

type Message =
  | { readonly type: 'ready'; readonly resume: string }
  | ({ readonly type: 'line' } & Line)
  | { readonly type: 'words'; readonly text: string; readonly final: boolean }
  | { readonly type: 'clear' }
  | { readonly type: 'keys'; readonly digits: string }
  | { readonly type: 'ended'; readonly reason: string };

/** Opens microphone and loudspeaker. The browser removes the agent's voice from the microphone (echo cancellation). */
async function openAudio(workletUrl: string): Promise<Audio> {
  // Absent on pages without TLS and in frames without the permission.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) {
    throw new CallError('no_microphone', 'This page cannot use the microphone: it needs HTTPS.');
  }
  const context = new AudioContext({ latencyHint: 'interactive' });
  try {
    const stream = await devices
      .getUserMedia({
        audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
      })
      .catch((error: unknown) => {
        const name = error instanceof DOMException ? error.name : '';
        throw name === 'NotFoundError'
          ? new CallError('no_microphone', 'No microphone was found.')
          : new CallError('microphone_denied', 'The browser does not let this page use the microphone.');
      });
    await context.audioWorklet.addModule(workletUrl).catch(() => {
      throw new CallError('worklet_blocked', `The page's rules do not allow ${workletUrl}.`);
    });
    await context.resume();
    const node = (name: string, options: AudioWorkletNodeOptions): AudioWorkletNode =>
      new AudioWorkletNode(context, name, options);
    const capture = node('callwright-capture', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
    });
    const playback = node('callwright-playback', { numberOfInputs: 0, outputChannelCount: [1] });
    context.createMediaStreamSource(stream).connect(capture);
    playback.connect(context.destination);
    return { context, stream, capture, playback };
  } catch (error) {
    await context.close();
    throw error;
  }
}
