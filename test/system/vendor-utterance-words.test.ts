import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openaiUtteranceStt } from '../../src/providers/stt/openai-utterance.ts';
import { VendorCaller } from '../helpers/vendor-caller.ts';

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
