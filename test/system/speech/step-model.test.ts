import { fakeOpenai, startFakeVendor, type FakeVendor } from '@callwright/stand-ins';
import type { HistoryItem } from '@callwright/turns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_OPERATOR_PROVIDERS, type CallProviders } from '../../../src/vendors/accounts.ts';
import { stepModelsOf } from '../../../src/domain/providers/resolve-providers.ts';
import { ChosenProviders } from '../../../src/providers/choose/open.ts';
import { createScriptLlm } from '../../../src/offline/script/brain.ts';
import { openBrain } from '../../../src/providers/ports/open-brain.ts';
import type { BrainContext, LlmProvider, StepLlms } from '../../../src/providers/ports/model.ts';
import type { LlmSettings } from '../../../src/store/json/tools.ts';

let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeOpenai);
});
afterAll(() => vendor?.close());

const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: 'You are Asha.',
  sections: [],
  introMessage: '',
  agentName: 'Asha',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'inbound',
  flow: {
    zone: 'UTC',
    document: {
      start: 'lead',
      nodes: [
        {
          id: 'lead',
          type: 'talk',
          prompt: 'Help.',
          model: 'large',
          turns: 1,
          edges: [{ to: 'rest', on: 'turns' }],
        },
        { id: 'rest', type: 'talk', prompt: 'Help on.' },
      ],
    },
  },
};

it("a step asks its own model of the agent's server, and the next step that of the agent", async () => {
  const llm: LlmSettings = {
    provider: 'openai_compatible',
    model: 'small',
    baseUrl: `${vendor.baseUrl}/v1`,
    apiKey: { sealed: 'sealed', shown: '' },
    temperature: null,
    maxTokens: null,
  };
  const settings = { vendors: {} };
  const ofSteps = stepModelsOf(NO_OPERATOR_PROVIDERS, settings, llm, ['large'], () => 'sk-test');
  const own = stepModelsOf(NO_OPERATOR_PROVIDERS, settings, llm, ['small'], () => 'sk-test')['small'];
  const chosen: CallProviders = { ...(own === undefined ? {} : { llm: own }), stepModels: ofSteps };
  const providers = new ChosenProviders<{ readonly llm: LlmProvider; readonly stepModels?: StepLlms }>(
    { llm: createScriptLlm() },
    ['llm=127.0.0.0/8'],
  );
  expect(providers.lacks({ stepModels: ofSteps })).toBe(true);
  await providers.load(chosen);
  const opened = providers.of(chosen);
  const brain = openBrain(opened.providers.llm, CONTEXT, () => 0, opened.providers.stepModels);
  let memory: unknown = null;
  const history: HistoryItem[] = [];
  for (const text of ['hello', 'and now', 'more']) {
    history.push({ role: 'caller', text, by: 'speech' });
    memory = await new Promise((resolve, reject) => {
      brain.reply({ history, memory, signal: new AbortController().signal }, (event) => {
        if (event.type === 'done') resolve(event.memory);
        if (event.type === 'failed') reject(new Error(event.message));
      });
    });
  }
  brain.close();
  opened.release();
  await providers.close();
  const asked = vendor.received.map((body) => (JSON.parse(body) as { model: string }).model);
  expect(asked[0]).toBe('large');
  expect(new Set(asked)).toEqual(new Set(['large', 'small']));
  expect(asked.lastIndexOf('large')).toBeLessThan(asked.indexOf('small'));
});
