import { afterAll, describe, expect, it } from 'vitest';
import { startFakeEmbeddingsServer } from '../helpers/embeddings-server.ts';
import { startFakeOpenAiServer } from '../helpers/openai-server.ts';
import type { ProviderChoice } from '../../src/providers/choose/installation.ts';
import { createAgent, place, provisionWith, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of cleanUp.splice(0).toReversed()) await close();
});

/** Starts the service with a recogniser that returns `finals`, one for each utterance of the callee. */
async function start(
  providers: Partial<ProviderChoice>,
  finals: readonly string[],
  env: Record<string, string> = {},
): Promise<Service> {
  const chosen: ProviderChoice = {
    vad: 'light',
    stt: `fake:sttMs=50,finals=${finals.join('|')}`,
    tts: 'offline',
    llm: 'offline',
    ...providers,
  };
  const service = await startService({
    program: 'test/helpers/service/probed-service.ts',
    provision: provisionWith({}),
    env: { PROBED_PROVIDERS: JSON.stringify(chosen), ...env },
  });
  cleanUp.push(() => service.dispose());
  return service;
}

/** An agent with a knowledge base of one question and one document. */
async function agentWithKnowledge(service: Service): Promise<string> {
  const agentId = await createAgent(service, { task: '1. Ask "Which day would suit you?"\n2. Say goodbye.' });
  const form = new FormData();
  form.append('kb_name', 'Clinic');
  form.append(
    'faqs',
    JSON.stringify([{ question: 'Where can I park?', answer: 'The garage below the house is free.' }]),
  );
  form.append('files', new Blob(['# Refunds\n\nRefunds are paid within five working days.']), 'refunds.md');
  const made = await fetch(`${service.url}/api/v0/external/kb`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  expect(made.status).toBe(200);
  const { kb_id: kbId } = (await made.json()) as { kb_id: string };
  await eventually('the document to be read', async () => {
    const { body } = await service.request('GET', `/api/v0/external/kb/${kbId}`);
    const isEmbedded = body.embedding_status === null || body.embedding_status === 'completed';
    return body.processing_status === 'completed' && isEmbedded ? body : null;
  });
  const attached = await service.request('PATCH', '/api/v0/agent/v1', {
    operation: 'attach_kb',
    agent_id: agentId,
    kb_id: kbId,
  });
  expect(attached.status).toBe(200);
  return agentId;
}

describe('a call with a knowledge base', () => {
  it('answers from its FAQs and documents with the script brain, which then continues its script', async () => {
    const service = await start({}, [
      'hello',
      'where can I park',
      'how long until refunds are paid',
      'tuesday',
      'yes',
      'no',
    ]);
    const callId = await place(service, await agentWithKnowledge(service), '+14155550123');
    const transcript = transcriptOf(await whenOver(service, callId));
    // With the caller's lines, so that a failure shows what was recognised.
    const talk = transcript.map((line) => line.bot ?? `caller: ${line.user}`);
    const at = (text: string): number => talk.findIndex((line) => line.includes(text));
    expect(talk.join('\n')).toContain('The garage below the house is free.');
    expect(talk.join('\n')).toContain('Refunds are paid within five working days.');
    expect(at('The garage below')).toBeLessThan(at('Refunds are paid'));
    expect(talk.join('\n')).toContain('Which day would suit you?');
  });

  it('is searched by a language model by words and meaning, and the log keeps the hits and how they were found', async () => {
    const embeddings = await startFakeEmbeddingsServer();
    cleanUp.push(() => embeddings.close());
    const lookup = { tools: [{ name: 'lookup_knowledge', args: { question: 'When are refunds paid?' } }] };
    const server = await startFakeOpenAiServer([
      lookup,
      {
        after: 'Refunds are paid',
        text: 'Within five working days. Goodbye.',
        tools: [{ name: 'end_call', args: {} }],
      },
    ]);
    cleanUp.push(() => server.close());
    const account = {
      vendor: 'openai-compatible',
      baseUrl: server.baseUrl,
      key: null,
      model: 'tiny',
    } as const;
    const service = await start({ models: [account] }, ['when are refunds paid'], {
      EMBEDDINGS_BASE_URL: embeddings.baseUrl,
      EMBEDDINGS_MODEL: 'words',
      EMBEDDINGS_API_KEY: 'embedding-key',
      // Generous, so that a loaded machine does not time out.
      EMBEDDINGS_WAIT_MS: '5000',
    });
    const callId = await place(service, await agentWithKnowledge(service), '+14155550123');
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
    const [log] = call.tool_call_logs.filter((entry: { name: string }) => entry.name === 'lookup_knowledge');
    expect(log).toMatchObject({
      args: { question: 'When are refunds paid?' },
      result: {
        results: expect.arrayContaining([
          {
            heading: 'Refunds',
            text: 'Refunds are paid within five working days.',
            source: 'refunds.md',
            score: 0.9999,
            found_by: ['words', 'meaning'],
            source_id: expect.any(String),
            position: 0,
          },
        ]),
        meaning: 'used',
      },
    });
    expect(embeddings.requests.every(({ authorization }) => authorization === 'Bearer embedding-key')).toBe(
      true,
    );
    const offered = JSON.stringify(server.requests[0]?.body['tools']);
    expect(offered).toContain('lookup_knowledge');
    const toModel = server.requests.filter((request) => request.body['tools'] !== undefined);
    const messages = JSON.stringify(toModel.at(-1)?.body['messages']);
    expect(messages).toContain('Refunds are paid within five working days.');
  });
});
