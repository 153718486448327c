import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { fakeTranscriptions, startFakeVendor } from '@callwright/stand-ins';
import { openaiUtteranceStt } from '../../../src/vendors/openai-compatible/stt.ts';
import { VendorCaller } from '../../helpers/vendors/vendor-caller.ts';

/** The values of a field of a multipart form. */
const fieldsOf = (body: string, name: string): string[] =>
  body
    .split(`name="${name}"\r\n\r\n`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('\r\n')));

it.each([
  [null, { prompt: ['Callwright, Bombay'], 'keywords[]': [] }],
  ['gpt-transcribe', { prompt: [], 'keywords[]': ['Callwright', 'Bombay'] }],
])('sends the words to know with each utterance, model %s', async (model, wants) => {
  let body = '';
  const server = createServer((request, response) => {
    request.setEncoding('latin1');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => response.end('{"text":"hello"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const settings = { apiKey: null, baseUrl: `http://127.0.0.1:${port}`, model };
    const caller = new VendorCaller(openaiUtteranceStt(settings), { vocab: ['Callwright', 'Bombay'] });
    await caller.say('Hello there.');
    await caller.has(({ type }) => type === 'final');
    expect(Object.fromEntries(Object.keys(wants).map((name) => [name, fieldsOf(body, name)]))).toEqual(wants);
    caller.session.close();
  } finally {
    server.close();
  }
});

it('hears speech with short pauses as one utterance, and speech after longer ones as the next', async () => {
  const vendor = await startFakeVendor(fakeTranscriptions);
  try {
    const settings = { apiKey: null, baseUrl: vendor.baseUrl, model: null };
    const caller = new VendorCaller(openaiUtteranceStt(settings));
    // The gate ends speech 80 ms after its last sound.
    await caller.say('I want', { thenMs: 40 });
    await caller.say('to', { thenMs: 140 });
    await caller.say('book a table', { thenMs: 400 });
    await caller.say('for two', { thenMs: 400 });
    await caller.has((event) => event.type === 'final' && event.text.endsWith('two'));
    expect(caller.texts('final')).toEqual(['I want to book a table', 'for two']);
    caller.session.close();
  } finally {
    await vendor.close();
  }
});
