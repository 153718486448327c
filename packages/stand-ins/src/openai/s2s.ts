import { randomUUID } from 'node:crypto';
import { Fields } from '@callwright/fields';
import type { FakeConnection, FakeHandler, FakeSettings } from '../fake-vendor.ts';
import { FakeUtterances, textOf } from '../fake-utterances.ts';
import { FakeConversation, lineToRead, speakReply, wordsOfPiece } from '../s2s-conversation.ts';
import type { CodedWord } from '../word-code.ts';

interface Response {
  readonly id: string;
  readonly item: string;
  readonly isInConversation: boolean;
  readonly stop: () => void;
  finish(status: 'completed' | 'cancelled'): void;
}

/** OpenAI Realtime: `gpt-realtime` over WebSocket. */
export function openaiS2s(connection: FakeConnection, settings: FakeSettings): FakeHandler {
  const talk = new FakeConversation();
  /** Spoken length of each message, ms. */
  const spoken = new Map<string, number>();
  const running = new Set<Response>();
  let utterances: FakeUtterances | null = null;
  let session = new Fields({});
  let previous: string | null = null;

  const send = (type: string, more: object = {}): void =>
    connection.send({ type, event_id: `event_${randomUUID()}`, ...more });
  const fail = (code: string, message: string): void =>
    send('error', { error: { type: 'invalid_request_error', code, message, param: null } });
  const isTalking = (): boolean => [...running].some(({ isInConversation }) => isInConversation);

  const update = (next: Fields): void => {
    if (next.text('type') !== 'realtime') return fail('invalid_value', 'session.type must be realtime');
    const input = next.of('audio').of('input');
    const isPhone = input.of('format').text('type') === 'audio/pcmu';
    if (!isPhone && input.of('format').number('rate') !== 24_000)
      return fail('invalid_value', 'unknown format');
    session = next;
    const detection = input.of('turn_detection');
    utterances = new FakeUtterances(
      isPhone ? { encoding: 'mulaw', rate: 8000 } : { encoding: 'linear16', rate: 24_000 },
      {
        everyMs: 200,
        endMs: () => (detection.has('type') ? (detection.number('silence_duration_ms') ?? 500) : null),
      },
      { onBegin: began, onEnd: commit },
    );
    return send('session.updated', { session: { type: 'realtime' } });
  };

  /** The session ends because of its age. */
  const age = (audioMs: number): void => {
    if (settings.sessionMs === null || audioMs < settings.sessionMs) return;
    fail('session_expired', 'Your session hit the maximum duration of 60 minutes.');
    connection.close(1001);
  };

  const began = (): void => {
    send('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: 'item_next' });
    if (session.of('audio').of('input').of('turn_detection').flag('interrupt_response')) cancelAll();
  };

  const commit = (words: readonly CodedWord[]): void => {
    const id = `item_${randomUUID()}`;
    const text = textOf(words);
    talk.add(id, 'user', text);
    const more = { item_id: id, previous_item_id: previous };
    send('input_audio_buffer.speech_stopped', { audio_end_ms: 0, item_id: id });
    send('input_audio_buffer.committed', more);
    send('conversation.item.added', {
      item: { id, type: 'message', role: 'user' },
      previous_item_id: previous,
    });
    previous = id;
    const kind = settings.isUntranscribed ? 'failed' : 'completed';
    send(`conversation.item.input_audio_transcription.${kind}`, {
      item_id: id,
      content_index: 0,
      ...(settings.isUntranscribed ? { error: { code: 'audio_unintelligible' } } : { transcript: text }),
    });
    if (session.of('audio').of('input').of('turn_detection').flag('create_response')) respond(new Fields({}));
  };

  const createItem = (item: Fields): void => {
    const id = `item_${randomUUID()}`;
    const [part] = item.list('content');
    const isCall = item.text('type') === 'function_call_output';
    const text = isCall ? item.text('output') : (part?.text('text') ?? '');
    if (text === '') return fail('invalid_value', 'the item has no content');
    talk.add(id, item.text('role') === 'assistant' ? 'agent' : 'user', text);
    return send('conversation.item.added', { item: { id, type: item.text('type') } });
  };

  const truncate = (id: string, endMs: number): void => {
    const length = spoken.get(id);
    if (length === undefined || endMs > length + 1) {
      return fail('invalid_value', `Audio content of ${length ?? 0}ms is already shorter than ${endMs}ms`);
    }
    // What is left is known to nobody as text: as long a part of it as of the audio.
    talk.change(id, (text) => text.slice(0, Math.round((text.length * endMs) / length)));
    spoken.set(id, endMs);
    return send('conversation.item.truncated', { item_id: id, content_index: 0, audio_end_ms: endMs });
  };

  const cancelAll = (): void => {
    for (const response of running) response.finish('cancelled');
  };

  const respond = (asked: Fields): void => {
    const isInConversation = asked.text('conversation') !== 'none';
    if (isInConversation && isTalking()) {
      return fail('conversation_already_has_active_response', 'Conversation already has an active response');
    }
    const id = `resp_${randomUUID()}`;
    const item = `item_${randomUUID()}`;
    const { text = '', tools = [] } = isInConversation
      ? talk.next(settings)
      : { text: lineToRead(asked.text('instructions')) ?? '' };
    const calls = asked.text('tool_choice') === 'none' ? [] : tools;
    const metadata = asked.record('metadata');
    const about = { response_id: id, item_id: item, output_index: 0, content_index: 0 };
    let said = '';
    const finish = (status: 'completed' | 'cancelled'): void => {
      if (!running.delete(response)) return;
      response.stop();
      const { input, cached, output } = talk.usage(said);
      if (isInConversation && said !== '') talk.add(item, 'agent', said);
      send('response.done', {
        response: {
          id,
          object: 'realtime.response',
          status,
          metadata,
          status_details: status === 'completed' ? null : { type: status, reason: 'client_cancelled' },
          usage: {
            input_tokens: input,
            output_tokens: output,
            input_token_details: { cached_tokens: cached },
          },
        },
      });
    };
    const end = (): void => {
      send('response.output_audio.done', about);
      for (const call of calls) {
        const callId = `call_${randomUUID()}`;
        const made = {
          id: `item_${randomUUID()}`,
          type: 'function_call',
          call_id: callId,
          name: call.name,
          arguments: JSON.stringify(call.args),
        };
        send('response.output_item.added', { response_id: id, item: { ...made, arguments: '' } });
        send('response.output_item.done', { response_id: id, item: made });
      }
      finish('completed');
    };
    send('response.created', { response: { id, status: 'in_progress', metadata } });
    send('response.output_item.added', { response_id: id, item: { id: item, type: 'message' } });
    const old = settings.otherSpelling ? '' : 'output_';
    const isPhone = session.of('audio').of('output').of('format').text('type') === 'audio/pcmu';
    const stop = speakReply(
      settings,
      isPhone ? { encoding: 'mulaw', rate: 8000 } : { encoding: 'linear16', rate: 24_000 },
      text,
      {
        onPiece(piece) {
          said += wordsOfPiece(piece);
          spoken.set(item, piece.endMs);
          send(`response.${old}audio_transcript.delta`, { ...about, delta: wordsOfPiece(piece) });
          send(`response.${old}audio.delta`, { ...about, delta: piece.data.toString('base64') });
        },
        onEnd: end,
      },
    );
    const response: Response = { id, item, isInConversation, stop, finish };
    running.add(response);
  };

  const cancel = (id: string): void => {
    const found = [...running].find((one) => (id === '' ? one.isInConversation : one.id === id));
    if (found === undefined)
      return fail('response_cancel_not_active', 'Cancellation failed: no active response');
    return found.finish('cancelled');
  };

  send('session.created', { session: { type: 'realtime' } });
  return {
    binary: () => fail('invalid_value', 'messages are text'),
    closed: () => {
      for (const response of running) response.stop();
    },
    text(message) {
      const fields = Fields.parse(message);
      switch (fields.text('type')) {
        case 'session.update':
          return update(fields.of('session'));
        case 'input_audio_buffer.append':
          utterances?.push(Buffer.from(fields.text('audio'), 'base64'));
          age(utterances?.audio.audioMs ?? 0);
          return connection.carried(utterances?.audio.audioMs ?? 0);
        case 'input_audio_buffer.commit': {
          const words = utterances?.take() ?? [];
          if (words.length === 0) return fail('input_audio_buffer_commit_empty', 'the buffer is empty');
          return commit(words);
        }
        case 'conversation.item.create':
          return createItem(fields.of('item'));
        case 'conversation.item.truncate':
          return truncate(fields.text('item_id'), fields.number('audio_end_ms') ?? 0);
        case 'conversation.item.delete': {
          const id = fields.text('item_id');
          talk.change(id, null);
          return send('conversation.item.deleted', { item_id: id });
        }
        case 'response.create':
          return respond(fields.of('response'));
        case 'response.cancel':
          return cancel(fields.text('response_id'));
        default:
          return fail('invalid_value', 'unknown type');
      }
    },
  };
}
