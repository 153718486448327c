import type { VersionConfig } from '../../../src/store/json/agent-version.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareTools } from '../../../src/domain/tools/call-tools.ts';
import { hostLookup } from '../../../src/net/resolve-host.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { openMcp } from '../../../src/providers/mcp.ts';
import { newId } from '../../../src/shared/ids.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { BrainContext, LlmEvent } from '../../../src/providers/ports/model.ts';
import { agentsModel } from '../../../src/domain/providers/provider-settings.ts';
import type { LlmSettings } from '../../../src/store/json/tools.ts';
import { createFakeLlm } from '../../../src/offline/scripted/llm.ts';
import { ChosenProviders } from '../../../src/providers/choose/open.ts';
import { TEST_SEAL } from '../../helpers/api/api.ts';
import { INSIDE, INSIDE_NAMES, namesTo, toPort } from '../../helpers/api/hostile-addresses.ts';
import { startInnerServer, type InnerServer } from '../../helpers/api/inner-server.ts';
import { startNameServer, type NameServer } from '../../helpers/service/name-server.ts';

let names: NameServer;
let inner: InnerServer;
/** An allowed server that redirects to the internal address with the number in its path. */
let outside: InnerServer;
let requested: string[] = [];
let targets: readonly string[] = [];
beforeAll(async () => {
  names = await startNameServer((name, nth) => INSIDE_NAMES[name]?.(nth) ?? []);
  inner = await startInnerServer();
  targets = [...toPort(INSIDE, inner.port), ...namesTo(inner.port)];
  outside = await startInnerServer((request, response) => {
    const [, nth = ''] = (request.url ?? '').split('/');
    requested.push(nth);
    const location = Buffer.from(targets[Number(nth)] ?? '').toString('latin1');
    response.writeHead(307, { location }).end();
  }, '127.0.0.9');
});
afterAll(async () => {
  for (const server of [names, inner, outside]) await server.close();
});
const leading = (): string[] => targets.map((_, nth) => `http://127.0.0.9:${outside.port}/${nth}/`);
const everyOne = (): string[] => targets.map((_, nth) => String(nth));

/** The result that the model gets from a tool at each of these addresses. */
async function used(urls: readonly string[], allow: readonly string[]): Promise<Map<string, unknown>> {
  const fetcher = new SafeFetcher({ allow, purpose: 'tools', lookup: hostLookup([names.address]) });
  const tools = urls.map((url, nth) => ({
    type: 'API_TOOL' as const,
    name: `ask_${nth}`,
    description: 'Asks.',
    method: 'POST' as const,
    url,
  }));
  const prepared = await prepareTools(
    {
      fetcher,
      seal: TEST_SEAL,
      clock: systemClock,
      openMcp: ({ workspaceId, ...server }) => openMcp(fetcher.of(workspaceId).stream, server),
    },
    {
      workspaceId: newId(),
      config: { language: 'en-US', onCallTools: tools } as unknown as VersionConfig,
      variables: {},
      window: { slots: [], days: null, zones: ['Etc/UTC'] },
      lookUp: () => Promise.resolve({ ok: false, result: {} }),
      budgetMs: 1000,
    },
  );
  if (!prepared.ready) throw new Error('not ready');
  const results = new Map<string, unknown>();
  for (const [nth, url] of urls.entries()) {
    results.set(url, (await prepared.tools.run(`ask_${nth}`, {})).result);
  }
  await fetcher.close();
  return results;
}

const context: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: 'You are Maya.',
  instructions: 'You are Maya.',
  sections: [],
  introMessage: 'Hello!',
  agentName: 'Maya',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'outbound',
};

const OWN: LlmSettings = {
  provider: 'openai_compatible',
  baseUrl: null,
  apiKey: { sealed: 'sealed', shown: '' },
  model: 'm',
  temperature: null,
  maxTokens: null,
};

/** The outcome of a request to an agent's own model at this address. */
async function thought(baseUrl: string, allow: readonly string[]): Promise<LlmEvent> {
  const models = new ChosenProviders({ llm: createFakeLlm() }, allow);
  const own = agentsModel({ ...OWN, baseUrl }, () => 'sk-secret');
  if (own === null) throw new Error('the agent has no model of its own');
  await models.load({ llm: [own] });
  const session = models.of({ llm: [own] }).providers.llm.open(context);
  const history = [{ role: 'caller' as const, text: 'Hello?', by: 'speech' as const }];
  const { signal } = new AbortController();
  const event = await new Promise<LlmEvent>((resolve) =>
    session.reply({ history, memory: null, signal }, resolve),
  );
  session.close();
  await models.close();
  return event;
}

const REFUSED = [
  { error: 'blocked', detail: 'an inner address that SAFE_FETCH_ALLOW does not list for tools' },
  { error: 'dns' },
];

describe('a tool in a call', () => {
  it('sends no byte to an internal address', async () => {
    const before = inner.touched();
    for (const [url, result] of await used(targets, [])) {
      expect(REFUSED.map((refused) => [url, refused])).toContainEqual([url, result]);
    }
    expect(inner.touched()).toBe(before);
  });

  it('sends no byte to the target of a redirect', async () => {
    requested = [];
    const before = inner.touched();
    for (const [url, result] of await used(leading(), ['tools=127.0.0.9'])) {
      expect([url, result]).toEqual([url, { status: 307, data: '' }]);
    }
    expect(requested).toEqual(everyOne());
    expect(inner.touched()).toBe(before);
  });
});

describe('an agent’s own model', () => {
  it('gets no byte at an internal address', async () => {
    const before = inner.touched();
    // These names are resolved by the system resolver, which does not know the test names.
    for (const url of toPort(INSIDE, inner.port)) {
      expect([url, await thought(`${url}v1`, [])]).toMatchObject([url, { type: 'failed' }]);
    }
    expect(inner.touched()).toBe(before);
  });

  it('gets no byte at the target of a redirect', async () => {
    requested = [];
    const before = inner.touched();
    for (const url of leading()) {
      expect([url, await thought(url, ['127.0.0.9'])]).toMatchObject([url, { type: 'failed' }]);
    }
    expect([...new Set(requested)]).toEqual(everyOne());
    expect(inner.touched()).toBe(before);
  });
});
