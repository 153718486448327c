import { Fields } from '@callwright/fields';
import type { FakeSettings, FakeStream, Refusal } from '../fake-vendor.ts';
import {
  modelReply,
  sse,
  wholeReply,
  type FakePrompt,
  type FakeUsage,
  type ModelWire,
} from '../model-reply.ts';

/** The sentence with which a body is refused. */
export type BodyProblem = string;

/** A chat completion, streamed or whole, as OpenAI and servers like it serve it. */
export function chatCompletion(body: Buffer, settings: FakeSettings): FakeStream | Refusal | BodyProblem {
  const asked = Fields.parse(body.toString('utf8'));
  const model = asked.text('model');
  if (model === '') return 'you must provide a model parameter';
  const messages = asked.list('messages');
  const calls = messages.flatMap((message) => message.list('tool_calls').map((call) => call.text('id')));
  const results = messages.map((message) => message.text('tool_call_id')).filter((id) => id !== '');
  if (calls.some((id) => !results.includes(id))) return 'tool_calls must be followed by tool messages';
  const system = messages.filter((message) => isSystem(message)).map((message) => message.text('content'));
  const withUsage = asked.of('stream_options').flag('include_usage');
  const prompt = promptOf(
    system.join('\n'),
    asked,
    messages.filter((message) => !isSystem(message)),
  );
  if (!asked.flag('stream')) return wholeCompletion(model, prompt, settings);
  return modelReply(prompt, settings, chatWire(model, withUsage));
}

function wholeCompletion(model: string, prompt: FakePrompt, settings: FakeSettings): Refusal {
  const { text, usage } = wholeReply(prompt, settings);
  const message = { role: 'assistant', content: text };
  return {
    status: 200,
    body: {
      id: 'chatcmpl-fake',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: chatUsage(usage),
    },
  };
}

const chatUsage = ({ input, cached, output }: FakeUsage): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});

const isSystem = (message: Fields): boolean => ['system', 'developer'].includes(message.text('role'));

const promptOf = (stable: string, asked: Fields, messages: readonly Fields[]): FakePrompt => ({
  stable,
  cacheMark: asked.text('prompt_cache_key') || stable,
  lines: messages.map((message) => ({
    role: message.text('role') === 'assistant' || message.text('type') === 'function_call' ? 'agent' : 'user',
    text:
      message.text('content') ||
      message.text('output') ||
      message
        .list('content')
        .map((part) => part.text('text'))
        .join('\n'),
  })),
});

function chatWire(model: string, withUsage: boolean): ModelWire {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    sse({
      id: 'chatcmpl-fake',
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    });
  return {
    head: () => [chunk({ role: 'assistant', content: '' })],
    text: (content) => [chunk({ content })],
    endOfText: () => [],
    tool({ name, args }, index) {
      const json = JSON.stringify(args);
      const piece = (text: string): string =>
        chunk({ tool_calls: [{ index, function: { arguments: text } }] });
      const begin = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } };
      return [chunk({ tool_calls: [begin] }), piece(json.slice(0, 3)), piece(json.slice(3))];
    },
    end: (usage, hasTools) => [
      chunk({}, hasTools ? 'tool_calls' : 'stop'),
      ...(withUsage
        ? [
            sse({
              id: 'chatcmpl-fake',
              object: 'chat.completion.chunk',
              created: 0,
              model,
              choices: [],
              usage: chatUsage(usage),
            }),
          ]
        : []),
      'data: [DONE]\n\n',
    ],
  };
}

/** OpenAI's Responses API, streamed. */
export function responses(body: Buffer, settings: FakeSettings): FakeStream | BodyProblem {
  const asked = Fields.parse(body.toString('utf8'));
  const model = asked.text('model');
  if (model === '') return "Missing required parameter: 'model'.";
  if (!asked.flag('stream')) return 'only streams are served here';
  const items = asked.list('input');
  const calls = items.filter((item) => item.text('type') === 'function_call');
  const results = items.filter((item) => item.text('type') === 'function_call_output');
  const isAnswered = (call: Fields): boolean =>
    results.some((result) => result.text('call_id') === call.text('call_id'));
  if (!calls.every(isAnswered)) return 'No tool output found for function call.';
  const system = items.filter((item) => isSystem(item)).map((item) => item.text('content'));
  const stable = [asked.text('instructions'), ...system].join('\n');
  const prompt = promptOf(
    stable,
    asked,
    items.filter((item) => !isSystem(item)),
  );
  return modelReply(prompt, settings, responsesWire(model));
}

function responsesWire(model: string): ModelWire {
  let sequence = 0;
  let output = 0;
  const event = (type: string, more: object): string =>
    sse({ type, sequence_number: sequence++, ...more }, type);
  const response = { id: 'resp_fake', object: 'response', created_at: 0, model, output: [] };
  const message = { id: 'msg_fake', type: 'message', role: 'assistant', content: [] };
  return {
    head: () => [
      event('response.created', { response: { ...response, status: 'in_progress' } }),
      event('response.output_item.added', {
        output_index: output,
        item: { ...message, status: 'in_progress' },
      }),
    ],
    text: (delta) => [
      event('response.output_text.delta', {
        item_id: message.id,
        output_index: output,
        content_index: 0,
        delta,
      }),
    ],
    endOfText: () => [
      event('response.output_item.done', { output_index: output, item: { ...message, status: 'completed' } }),
    ],
    tool({ name, args }, at) {
      output += 1;
      const json = JSON.stringify(args);
      const item = { id: `fc_${at}`, type: 'function_call', call_id: `call_${at}`, name, arguments: '' };
      const place = { item_id: item.id, output_index: output };
      return [
        event('response.output_item.added', {
          output_index: output,
          item: { ...item, status: 'in_progress' },
        }),
        event('response.function_call_arguments.delta', { ...place, delta: json.slice(0, 3) }),
        event('response.function_call_arguments.delta', { ...place, delta: json.slice(3) }),
        event('response.function_call_arguments.done', { ...place, arguments: json }),
        event('response.output_item.done', {
          output_index: output,
          item: { ...item, arguments: json, status: 'completed' },
        }),
      ];
    },
    end: (usage) => [
      event('response.completed', {
        response: {
          ...response,
          status: 'completed',
          usage: {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          },
        },
      }),
    ],
  };
}
