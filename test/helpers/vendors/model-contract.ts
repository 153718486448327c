import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FAKE_SETTINGS,
  type FakeHttpRequest,
  type FakeProtocol,
  type FakeVendor,
  startFakeVendor,
} from '@callwright/stand-ins';
import { openModel } from '../../../src/providers/choose/models.ts';
import type { LlmVendorName } from '../../../src/vendors/catalogue.ts';
import type { BrainContext, LlmEvent, LlmProvider } from '../../../src/providers/ports/model.ts';
import type { HistoryItem } from '@callwright/turns';

export interface ModelCase {
  readonly name: LlmVendorName;
  readonly fake: FakeProtocol;
  readonly path: string;
  /** What the request of a second turn has to contain: caching, thinking, sampling. */
  readonly asked: (body: Readonly<Record<string, any>>, request: FakeHttpRequest) => unknown;
  readonly wants: unknown;
  /** Where the arguments of the tool call in the history are found again. */
  readonly toolArgs: (body: Readonly<Record<string, any>>) => unknown;
}

const KEY = 'mk-secret-key-9876';

export const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: 'You are Maya.',
  instructions: 'You are Maya from City Dental. You call «Ravi».',
  sections: [],
  introMessage: 'Hello!',
  agentName: 'Maya',
  variables: { callee_name: 'Ravi' },
  understandsSpeech: true,
  tools: [
    {
      name: 'find_slot',
      description: 'Free slots.',
      parameters: {
        type: 'object',
        properties: { day: { type: 'string' } },
        required: ['day'],
        additionalProperties: false,
      },
    },
  ],
  callDirection: 'outbound',
  sampling: { temperature: 0.2, maxTokens: 123 },
};

export const said = (...texts: string[]): HistoryItem[] =>
  texts.map((text) => ({ role: 'caller', text, by: 'speech' }));

/** One reply and its events; `onEvent` may abort it. */
export function replyOf(
  provider: LlmProvider,
  history: readonly HistoryItem[],
  {
    session = provider.open(CONTEXT),
    stopAfter,
  }: { session?: ReturnType<LlmProvider['open']>; stopAfter?: number } = {},
): Promise<LlmEvent[]> {
  const events: LlmEvent[] = [];
  const abort = new AbortController();
  return new Promise((resolve) => {
    session.reply({ history, memory: null, signal: abort.signal }, (event) => {
      events.push(event);
      if (events.length === stopAfter) {
        abort.abort();
        resolve(events);
      }
      if (event.type === 'done' || event.type === 'failed') resolve(events);
    });
  });
}

export const textOf = (events: readonly LlmEvent[]): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');

/** What every language model has to do, over a real socket with the vendor's fake. */
export function modelContract(spec: ModelCase): void {
  const { name, fake, path } = spec;
  describe(`the language model of ${name}`, () => {
    let vendor: FakeVendor;
    beforeAll(async () => {
      vendor = await startFakeVendor(fake, { settings: { key: KEY } });
    });
    beforeEach(() => {
      Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY });
      vendor.requests.length = 0;
    });
    afterAll(() => vendor.close());

    const model = (
      key: string | null = KEY,
      more: { firstTokenMs?: number; betweenTokensMs?: number } = {},
    ) => openModel({ vendor: name, key, baseUrl: vendor.baseUrl, model: 'test-model', ...more });
    const bodyOf = (request?: FakeHttpRequest): Record<string, any> =>
      JSON.parse(request?.body.toString('utf8') ?? '{}') as Record<string, any>;

    it('streams the words of a reply and the tokens used', async () => {
      vendor.settings.replies = [{ text: 'Friday at ten is free.' }];
      const events = await replyOf(model(), said('Is Friday free?'));
      expect(textOf(events)).toBe('Friday at ten is free.');
      expect(events.filter(({ type }) => type === 'delta').length).toBeGreaterThan(3);
      expect(events.at(-1)).toMatchObject({
        type: 'done',
        usage: { vendor: name, model: 'test-model', outputTokens: 6 },
      });
      const done = events.at(-1);
      expect(done?.type === 'done' ? done.usage?.inputTokens : null).toBeGreaterThan(100);
      expect(vendor.requests[0]?.path).toContain(path);
    });

    it('gets every word that was spoken', async () => {
      const words = ['My name is Ravi Kumar', 'four one seven', 'at Elm Street'];
      const events = await replyOf(model(), said(...words));
      for (const text of words) expect(vendor.requests[0]?.body.toString('utf8')).toContain(text);
      expect(textOf(events)).toContain('at Elm Street');
    });

    it('calls tools, and gets their results with what the vendor sent', async () => {
      vendor.settings.replies = [
        { text: 'Let me look.', tools: [{ name: 'find_slot', args: { day: 'Friday' } }] },
        { text: 'Ten is free.' },
      ];
      const provider = model();
      const session = provider.open(CONTEXT);
      const first = await replyOf(provider, said('Is Friday free?'), { session });
      expect(first.find(({ type }) => type === 'tool')).toMatchObject({
        name: 'find_slot',
        args: { day: 'Friday' },
      });
      const history: HistoryItem[] = [
        ...said('Is Friday free?'),
        { role: 'agent', text: 'Let me look.', interrupted: false },
        { role: 'tool', name: 'find_slot', args: { day: 'Friday' }, result: { slots: ['10:00'] } },
        ...said('And?'),
      ];
      expect(textOf(await replyOf(provider, history, { session }))).toBe('Ten is free.');
      const body = bodyOf(vendor.requests[1]);
      expect(spec.toolArgs(body)).toEqual({ day: 'Friday' });
      expect(JSON.stringify(body)).toContain('10:00');
    });

    it('asks for caching, the lowest thinking and the agent’s sampling', async () => {
      const provider = model();
      const session = provider.open(CONTEXT);
      await replyOf(provider, said('Hello.'), { session });
      const events = await replyOf(provider, said('Hello.', 'Again.'), { session });
      const request = vendor.requests[1];
      expect(spec.asked(bodyOf(request), request!)).toEqual(spec.wants);
      const done = events.at(-1);
      expect(done?.type === 'done' ? done.usage?.cachedTokens : null).toBeGreaterThan(100);
    });

    it('closes the connection when the reply is cancelled, and emits nothing more', async () => {
      vendor.settings.replies = [{ text: 'one two three four five six seven eight' }];
      vendor.settings.wordMs = 30;
      const events = await replyOf(model(), said('Count.'), { stopAfter: 2 });
      await expect.poll(() => vendor.requests[0]?.isAbandoned).toBe(true);
      expect(events.map(({ type }) => type)).toEqual(['delta', 'delta']);
    });

    it.each([
      [401, 'key', false],
      [402, 'credit', false],
      [403, 'key', false],
      [404, 'rejected', false],
      [429, 'limit', true],
      [500, 'lost', true],
      [529, 'lost', true],
    ] as const)('names a refusal with %d %s', async (status, kind, retryable) => {
      Object.assign(vendor.settings, { refuse: status, retryAfterS: 60 });
      const [event] = await replyOf(model(), said('Hello.'));
      expect(event).toMatchObject({ type: 'failed', retryable, fault: { vendor: name, kind } });
      expect(JSON.stringify(event)).not.toContain(KEY);
      // One request: a caller does not wait for the vendor's pause.
      expect(vendor.requests).toHaveLength(1);
    });

    it('is refused with a wrong key', async () => {
      const [event] = await replyOf(model('mk-another-key'), said('Hello.'));
      expect(event).toMatchObject({ type: 'failed', retryable: false, fault: { kind: 'key' } });
      expect(JSON.stringify(event)).not.toContain('mk-another-key');
    });

    it('fails in time when the vendor hangs, and when it sends garbage', async () => {
      vendor.settings.hang = true;
      const [late] = await replyOf(model(KEY, { firstTokenMs: 80 }), said('Hello.'));
      expect(late).toMatchObject({ type: 'failed', fault: { kind: 'timeout' } });
      Object.assign(vendor.settings, { hang: false, garbage: true });
      const [odd] = await replyOf(model(), said('Hello.'));
      expect(odd).toMatchObject({ type: 'failed', retryable: true, fault: { kind: 'lost' } });
    });

    it('fails after its first words when the connection is cut', async () => {
      vendor.settings.replies = [{ text: 'One two three.' }];
      vendor.settings.cutAtWord = 2;
      const events = await replyOf(model(), said('Hello.'));
      expect(textOf(events)).toBe('One two ');
      expect(events.at(-1)).toMatchObject({ type: 'failed', retryable: true, fault: { kind: 'lost' } });
    });

    it('fails when nothing listens', async () => {
      const gone = await startFakeVendor(fake);
      await gone.close();
      const nowhere = openModel({ vendor: name, key: KEY, baseUrl: gone.baseUrl, model: 'm' });
      const [event] = await replyOf(nowhere, said('Hello.'));
      expect(event).toMatchObject({ retryable: true, fault: { kind: 'lost' } });
      expect(event?.type === 'failed' && event.message).toContain('ECONNREFUSED');
    });
  });
}
