import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbedder } from '../../../src/vendors/openai-compatible/embeddings.ts';
import { createStructuredModel } from '../../../src/providers/choose/structured-answer.ts';
import { safeError } from '../../../src/shared/safe-error.ts';

/** A server that answers text instead of JSON. */
const server = createServer((_, response) => response.end('Caller Zebulon wants a refund'));
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const logged = (failed: Promise<unknown>): Promise<string> =>
  failed.then(
    () => 'nothing failed',
    (error: unknown) => JSON.stringify(safeError(error)),
  );

describe('the log entry of a non-JSON answer', () => {
  const settings = () => ({ baseUrl, apiKey: null, model: 'm' });

  it('does not quote a model', async () => {
    const model = createStructuredModel({ vendor: 'openai-compatible', baseUrl, key: null, model: 'm' });
    const text = await logged(model.answer({ system: 's', messages: ['m'], schema: {} }));
    expect(text).toContain('text that does not parse');
    expect(text).not.toContain('Zeb');
  });

  it('does not quote an embeddings server', async () => {
    const embedder = createEmbedder({ ...settings(), dimensions: null });
    const text = await logged(embedder.embed(['x'], { timeoutMs: 5000 }));
    expect(text).toContain('text that does not parse');
    expect(text).not.toContain('Zeb');
  });
});
