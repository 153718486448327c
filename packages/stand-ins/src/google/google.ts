import { Fields } from '@callwright/fields';
import type { FakeProtocol, Refusal } from '../fake-vendor.ts';
import { geminiLive, LIVE_PATH } from './gemini-live.ts';
import { modelReply, sse, type FakePrompt, type ModelWire } from '../model-reply.ts';

const CODES: Record<number, [status: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  403: ['PERMISSION_DENIED', 'Permission denied.'],
  404: ['NOT_FOUND', 'The model is not found.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your requests per minute.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
};

function refusal(status: number, said?: string): Refusal {
  // A wrong key is an invalid argument to this vendor.
  if (status === 401) return refusal(400, 'API key not valid. Please pass a valid API key.');
  const [code, message] = CODES[status] ?? ['INTERNAL', 'An internal error has occurred.'];
  return { status, body: { error: { code: status, message: said ?? message, status: code, details: [] } } };
}

/** Google's Gemini API, streamed as server-sent events, and Gemini Live. */
export const fakeGoogle: FakeProtocol = {
  name: 'google',
  refusal,
  socket({ path, query, headers }, settings) {
    const given = headers['x-goog-api-key'] ?? query.get('key') ?? '';
    if (given === '' || (settings.key !== null && given !== settings.key)) return refusal(401);
    return path === LIVE_PATH ? (connection) => geminiLive(connection, settings) : refusal(404);
  },
  http({ path, query, method, headers, body }, settings) {
    const model = /^\/v1beta\/models\/([\w.-]+):streamGenerateContent$/.exec(path)?.[1];
    if (model === undefined || method !== 'POST') return null;
    const given = headers['x-goog-api-key'] ?? '';
    if (given === '' || (settings.key !== null && given !== settings.key)) return refusal(401);
    if (query.get('alt') !== 'sse') return refusal(400, 'alt must be sse.');
    const asked = Fields.parse(body.toString('utf8'));
    if (asked.list('contents').length === 0) return refusal(400, 'contents is not specified');
    return modelReply(promptOf(asked), settings, wire(model));
  },
};

function promptOf(asked: Fields): FakePrompt {
  const stable = asked
    .of('systemInstruction')
    .list('parts')
    .map((part) => part.text('text'))
    .join('\n');
  return {
    stable,
    // This vendor caches by itself.
    cacheMark: stable,
    lines: asked.list('contents').map((content) => ({
      role: content.text('role') === 'user' ? 'user' : 'agent',
      text: content
        .list('parts')
        .map((part) => part.text('text') || part.of('functionResponse').of('response').text('content'))
        .join('\n'),
    })),
  };
}

function wire(model: string): ModelWire {
  const chunk = (parts: readonly object[], more: object = {}): string =>
    sse({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      modelVersion: model,
      responseId: 'fake',
    });
  return {
    head: () => [],
    text: (text) => [chunk([{ text }])],
    endOfText: () => [],
    tool: ({ name, args }, at) => [
      chunk([{ functionCall: { id: `fc_${at}`, name, args }, thoughtSignature: `signature-${name}` }]),
    ],
    end: ({ input, cached, output }) => [
      sse({
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: {
          promptTokenCount: input,
          cachedContentTokenCount: cached,
          candidatesTokenCount: output,
          thoughtsTokenCount: 0,
          totalTokenCount: input + output,
        },
        modelVersion: model,
        responseId: 'fake',
      }),
    ],
  };
}
