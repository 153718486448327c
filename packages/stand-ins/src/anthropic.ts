import { Fields } from '@callwright/fields';
import type { FakeProtocol, Refusal } from './fake-vendor.ts';
import { modelReply, sse, type FakePrompt, type ModelWire } from './model-reply.ts';

const TYPES: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'Invalid request.'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'not found'],
  429: ['rate_limit_error', 'This request would exceed your rate limit.'],
  529: ['overloaded_error', 'Overloaded'],
};

function refusal(status: number, said?: string): Refusal {
  const [type, message] = TYPES[status] ?? ['api_error', 'Internal server error'];
  return { status, body: { type: 'error', error: { type, message: said ?? message } } };
}

/** Anthropic's Messages API, streamed. */
export const fakeAnthropic: FakeProtocol = {
  name: 'anthropic',
  refusal,
  socket: () => refusal(404),
  http({ path, method, headers, body }, settings) {
    if (path !== '/v1/messages' || method !== 'POST') return null;
    const given = headers['x-api-key'] ?? '';
    if (given === '' || (settings.key !== null && given !== settings.key)) return refusal(401);
    if (headers['anthropic-version'] === undefined)
      return refusal(400, 'anthropic-version: header is required');
    const asked = Fields.parse(body.toString('utf8'));
    const problem = problemOf(asked);
    if (problem !== null) return refusal(400, problem);
    return modelReply(promptOf(asked), settings, wire(asked.text('model')));
  },
};

function problemOf(asked: Fields): string | null {
  if (asked.text('model') === '') return 'model: Field required';
  if (asked.number('max_tokens') === null) return 'max_tokens: Field required';
  if (!asked.flag('stream')) return 'stream: only streams are served here';
  const messages = asked.list('messages');
  if (messages[0]?.text('role') !== 'user') return 'messages: first message must use the "user" role';
  const open = new Set<string>();
  for (const message of messages) {
    for (const part of message.list('content')) {
      if (part.text('type') === 'tool_use') open.add(part.text('id'));
      if (part.text('type') === 'tool_result' && !open.delete(part.text('tool_use_id'))) {
        return 'messages: unexpected `tool_use_id` found in `tool_result` blocks';
      }
    }
  }
  return open.size === 0 ? null : 'messages: `tool_use` ids were found without `tool_result` blocks';
}

function promptOf(asked: Fields): FakePrompt {
  const system = asked.list('system');
  const marked = system.findLastIndex((part) => part.of('cache_control').text('type') === 'ephemeral');
  const textIn = (parts: readonly Fields[]): string => parts.map((part) => part.text('text')).join('\n');
  const stable = textIn(marked < 0 ? system : system.slice(0, marked + 1));
  const tools = JSON.stringify(asked.list('tools').map((tool) => tool.text('name')));
  return {
    stable,
    rest: marked < 0 ? '' : textIn(system.slice(marked + 1)),
    // Tools come before the system prompt in the cache.
    cacheMark: marked < 0 ? null : `${tools}\n${stable}`,
    lines: asked.list('messages').map((message) => ({
      role: message.text('role') === 'user' ? 'user' : 'agent',
      text: message.text('content') || message.list('content').map(textOf).join('\n'),
    })),
  };
}

const textOf = (part: Fields): string =>
  part.text('text') ||
  part.text('content') ||
  part
    .list('content')
    .map((inner) => inner.text('text'))
    .join('\n');

function wire(model: string): ModelWire {
  let index = 0;
  const event = (type: string, more: object): string => sse({ type, ...more }, type);
  return {
    head: ({ input, cached }) => [
      event('message_start', {
        message: {
          id: 'msg_fake',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: input - cached,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: cached,
            output_tokens: 1,
          },
        },
      }),
      event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
    ],
    text: (text) => [event('content_block_delta', { index, delta: { type: 'text_delta', text } })],
    endOfText: () => [event('content_block_stop', { index })],
    tool({ name, args }, at) {
      index += 1;
      const json = JSON.stringify(args);
      const delta = (partial_json: string): string =>
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
      const block = { type: 'tool_use', id: `toolu_${at}`, name, input: {} };
      return [
        event('content_block_start', { index, content_block: block }),
        delta(json.slice(0, 3)),
        delta(json.slice(3)),
        event('content_block_stop', { index }),
      ];
    },
    end: ({ output }, hasTools) => [
      event('message_delta', {
        delta: { stop_reason: hasTools ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: output },
      }),
      event('message_stop', {}),
    ],
  };
}
