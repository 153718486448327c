import type { FakeBody, FakeSettings, FakeStream } from './fake-vendor.ts';

/** Before a connection is cut. */
const CUT_MS = 20;

/** A scripted answer of a fake language model. */
export interface FakeReply {
  /** Used for a conversation that contains this text; the last such reply wins. */
  readonly after?: string;
  /** Used where the caller's last line contains this. Where none does, the agent repeats the line. */
  readonly to?: string;
  /** Sent word by word; `{agent}` stands for the agent's last line in the conversation. */
  readonly text?: string;
  readonly tools?: readonly FakeToolCall[];
}
export interface FakeToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export interface FakeUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** A request in the terms of all vendors. */
export interface FakePrompt {
  /** What stays the same from turn to turn; cached if `cacheMark` says so. */
  readonly stable: string;
  /** Instructions behind the stable part. Absent: none. */
  readonly rest?: string;
  /** Name under which the stable part is cached; null: not asked for. */
  readonly cacheMark: string | null;
  /** The conversation, tool results as words of the user. */
  readonly lines: readonly { readonly role: 'user' | 'agent'; readonly text: string }[];
}

/** How a vendor writes a streamed reply: every item is one server-sent event. */
export interface ModelWire {
  head(usage: FakeUsage): readonly string[];
  text(word: string): readonly string[];
  /** Before the first tool call. */
  endOfText(): readonly string[];
  tool(call: FakeToolCall, index: number): readonly string[];
  end(usage: FakeUsage, hasTools: boolean): readonly string[];
}

export const sse = (data: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Prompts that a fake has in its cache, by its settings. */
const cached = new WeakMap<object, Set<string>>();

/** The scripted reply to a prompt in the vendor's events. Without a script, the agent repeats the caller's words. */
export function modelReply(prompt: FakePrompt, settings: FakeSettings, wire: ModelWire): FakeStream {
  const { text = '', tools = [] } = replyTo(prompt, settings.replies);
  const usage = usageOf(prompt, text, settings);
  // In the order in which they are sent: a wire counts its parts.
  const head = wire.head(usage).join('');
  const frames = [
    ...(text.match(/\S+\s*/g) ?? []).map((word) => wire.text(word).join('')),
    ...tools.map((call, index) =>
      [...(index === 0 ? wire.endOfText() : []), ...wire.tool(call, index)].join(''),
    ),
  ];
  const end = [...(tools.length === 0 ? wire.endOfText() : []), ...wire.end(usage, tools.length > 0)];
  return {
    status: 200,
    contentType: 'text/event-stream',
    start(body) {
      body.send(Buffer.from(head));
      return sendFrames(frames, settings, body, () => {
        body.send(Buffer.from(end.join('')));
        body.end();
      });
    },
  };
}

/** The scripted reply to a prompt as a whole. */
export function wholeReply(
  prompt: FakePrompt,
  settings: FakeSettings,
): { readonly text: string; readonly usage: FakeUsage } {
  const { text = '' } = replyTo(prompt, settings.replies);
  return { text, usage: usageOf(prompt, text, settings) };
}

/** Sends a frame every `wordMs`; returns what stops it. */
function sendFrames(
  frames: readonly string[],
  settings: FakeSettings,
  body: FakeBody,
  finish: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const send = (at: number): void => {
    const frame = frames[at];
    if (settings.cutAtWord === at) {
      settings.cutAtWord = null;
      // What was sent arrives first.
      timer = setTimeout(() => body.cut(), CUT_MS);
      return;
    }
    if (frame === undefined) return finish();
    body.send(Buffer.from(frame));
    if (settings.wordMs > 0 && at + 1 < frames.length)
      timer = setTimeout(() => send(at + 1), settings.wordMs);
    else send(at + 1);
  };
  send(0);
  return () => clearTimeout(timer);
}

/** The scripted reply to a conversation; without a script, the caller's words. */
export function replyTo({ lines }: Pick<FakePrompt, 'lines'>, replies: readonly FakeReply[]): FakeReply {
  const said = lines.filter(({ role }) => role === 'user').map(({ text }) => text);
  const last = said.at(-1) ?? 'nothing';
  const repeated = { text: `You said: ${last}` };
  if (replies.length === 0) return repeated;
  if (replies.some(({ to }) => to !== undefined)) {
    const own = lines.findLast(({ role }) => role === 'agent')?.text ?? 'nothing';
    const found = replies.find(({ to }) => to !== undefined && last.includes(to)) ?? repeated;
    return { ...found, ...(found.text === undefined ? {} : { text: found.text.replaceAll('{agent}', own) }) };
  }
  if (replies.some(({ after }) => after !== undefined)) {
    const whole = lines.map(({ text }) => text).join('\n');
    return replies.findLast(({ after }) => after !== undefined && whole.includes(after)) ?? replies[0] ?? {};
  }
  return replies[Math.min(said.length, replies.length) - 1] ?? {};
}

/** Four characters a token, as a rule of thumb. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

/** Tokens of a reply by a vendor that speaks. */
export const spokenUsage = ({ lines }: Pick<FakePrompt, 'lines'>, text: string): FakeUsage => ({
  input: tokens(lines.map((line) => line.text).join('')),
  cached: 0,
  output: tokens(text),
});

function usageOf(
  { stable, rest = '', cacheMark, lines }: FakePrompt,
  text: string,
  settings: object,
): FakeUsage {
  const known = cached.get(settings) ?? new Set<string>();
  cached.set(settings, known);
  const isCached = cacheMark !== null && known.has(cacheMark);
  if (cacheMark !== null) known.add(cacheMark);
  return {
    input: tokens(stable) + tokens(rest) + tokens(lines.map((line) => line.text).join('')),
    cached: isCached ? tokens(stable) : 0,
    output: tokens(text),
  };
}
