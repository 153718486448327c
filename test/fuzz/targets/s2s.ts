import type { S2sDialect, S2sVendor } from '../../../src/providers/s2s/dialect.ts';
import { openS2sVendor } from '../../../src/providers/choose/speech-to-speech.ts';
import { mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const TOKENS = tokens(
  '{¦}¦[¦]¦,¦:¦"¦null¦true¦1e400¦""¦"type":"response.done"¦"response_id":"r"¦"item_id":"i"¦"arguments":"[1]"¦"args":[]¦"interrupted":true¦"turnComplete":true¦"generationComplete":true¦"delta":"%%%"¦"__proto__":',
);
const OPENAI = [
  { type: 'session.updated' },
  { type: 'input_audio_buffer.committed', item_id: 'i1' },
  { type: 'conversation.item.input_audio_transcription.completed', item_id: 'i1', transcript: 'Hi' },
  { type: 'response.created', response: { id: 'r', metadata: { name: 'r1' } } },
  { type: 'response.output_item.added', response_id: 'r', item: { id: 'i2', type: 'message' } },
  { type: 'response.output_audio_transcript.delta', response_id: 'r', delta: 'Hello' },
  { type: 'response.output_audio.delta', response_id: 'r', delta: 'AAAA' },
  {
    type: 'response.output_item.done',
    response_id: 'r',
    item: { type: 'function_call', call_id: 'c', name: 'book', arguments: '{"day":"Friday"}' },
  },
  { type: 'response.done', response: { id: 'r', status: 'completed', usage: { input_tokens: 1 } } },
  { type: 'error', error: { code: 'session_expired', message: 'over' } },
  { type: 'error', error: { code: 'server_error', message: 'down' } },
];
const GEMINI = [
  { setupComplete: {} },
  { serverContent: { inputTranscription: { text: 'Hi' } } },
  {
    serverContent: {
      modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'AAAA' } }] },
    },
  },
  { serverContent: { outputTranscription: { text: 'Hello' }, generationComplete: true } },
  { toolCall: { functionCalls: [{ id: 'c', name: 'book', args: { day: 'Friday' } }] } },
  { serverContent: { interrupted: true } },
  { serverContent: { turnComplete: true }, usageMetadata: { promptTokenCount: 1 } },
  { sessionResumptionUpdate: { newHandle: 'h', resumable: true } },
  { goAway: { timeLeft: '9.5s' } },
];

const PHONE = { language: 'en-US', sampleRate: 8000 } as const;
const connected = (vendor: S2sVendor): S2sDialect =>
  vendor.connect({
    context: {
      language: 'en-US',
      secondaryLanguage: null,
      prompt: '',
      instructions: '',
      sections: [],
      introMessage: '',
      agentName: '',
      variables: {},
      understandsSpeech: true,
      tools: [],
      callDirection: 'outbound',
    },
    hearing: { ...PHONE, secondaryLanguage: null, vocab: [] },
    voice: { ...PHONE, voiceKey: '', speed: 1 },
  });

const target = (name: 'openai' | 'google', messages: readonly object[]): Target => {
  const text = messages.map((message) => JSON.stringify(message)).join('\n');
  const vendor = openS2sVendor({
    name,
    settings: { apiKey: 'k', baseUrl: 'https://vendor.example', model: null },
  });
  return {
    name: `s2s-${name}`,
    make: (dice) => Buffer.from(mutateText(text, TOKENS, [text], dice)),
    run(input) {
      const dialect = connected(vendor);
      dialect.reply('r1', 'caller');
      for (const line of input.toString('utf8').split('\n')) {
        let news: ReturnType<S2sDialect['receive']> = [];
        try {
          news = dialect.receive(line);
        } catch {
          // A message that cannot be read: the connection counts them.
          continue;
        }
        for (const one of news) {
          if (one.type === 'tool') must(!Array.isArray(one.args), 'arguments are no object');
          if (one.type === 'going_away')
            must(one.ms >= 0 && Number.isSafeInteger(one.ms), 'an end without a time');
          if (one.type === 'audio') must(one.bytes.length <= line.length, 'audio from nowhere');
          if (one.type === 'fault') must(one.fault.message.length <= 400, 'a fault is too long');
        }
      }
    },
  };
};

/** Messages of speech-to-speech vendors. */
export const S2S_TARGETS: readonly Target[] = [target('openai', OPENAI), target('google', GEMINI)];
