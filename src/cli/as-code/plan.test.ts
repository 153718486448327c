import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksSecret, mask } from '../../domain/webhooks/sealed-headers.ts';
import {
  isObject,
  listOf,
  objectOf,
  textOf,
  type Json,
  type JsonObject,
  type Live,
  type LiveAgent,
  type Settings,
  type State,
} from '../../http/agents/document/document.ts';
import type { PlannedEdit } from '../../http/agents/document/edits.ts';
import { fromFiles, toFiles } from './folder.ts';
import { driftOf, planOf, type AgentPlan, type Files } from '../../http/agents/document/plan.ts';
import { pull } from './pull.ts';
import { digestOf, isSame } from '../../http/agents/document/settings.ts';
import { problemsOf } from './validate.ts';

const EMPTY: State = { format: 1, workspace_id: 'w', agents: {} };
const NO_SECRETS = { read: () => undefined };
const VOICE = '0198aaaa-0000-7000-8000-00000000000a';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const prose = fc
  .array(fc.constantFrom('Say hello.', '', '- a: "b"', '# head', '  two', 'null', "it's {{day}}", 'नमस्ते'), {
    minLength: 1,
  })
  .map((lines) => lines.join('\n'));
const tool = (token: string) => ({
  type: 'API_TOOL',
  name: 'find_slots',
  description: 'Finds a slot.',
  method: 'GET',
  url: 'https://api.example.com/slots',
  headers: { authorization: mask(token), accept: 'text/plain' },
});
const flow = fc.record({
  start: fc.constant('reason'),
  nodes: fc.tuple(prose, fc.constantFrom('id-1', 'id-2')).map(([ask, to]) => [
    { id: 'reason', type: 'collect', ask },
    { id: 'billing', type: 'handoff', agent_id: to },
  ]),
});

/** What one agent of a service holds, in the shape of its answers. */
const content = fc.record({
  name: text,
  intro: prose,
  language: fc.constantFrom('en-US', 'en-GB'),
  secondary: fc.constantFrom(null, 'hi-IN'),
  sections: fc.array(fc.record({ section_title: text, section_content: prose }), {
    minLength: 1,
    maxLength: 4,
  }),
  speed: fc.constantFrom<number>(0.5, 1, 1.25),
  vocab: fc.array(text, { maxLength: 3 }),
  token: fc.constantFrom('Bearer-1', 'abcdefgh'),
  hasTool: fc.boolean(),
  labels: fc.uniqueArray(text, { maxLength: 3 }),
  warning: fc.integer({ min: 0, max: 5 }),
  flow: fc.option(flow, { nil: null }),
  llm: fc.constantFrom(null, {
    provider: 'default',
    temperature: 0.5,
    model: null,
    on_model_failure: 'apologise',
  }),
  analysis: fc.constantFrom(null, { context: '', goal_key: 'ok', keys: { ok: { type: 'boolean' } } }),
  bases: fc.subarray(['b1', 'b2', 'b3']),
  cases: fc.uniqueArray(fc.record({ name: text, lines: fc.array(prose, { maxLength: 2 }) }), {
    maxLength: 3,
    selector: ({ name }) => name,
  }),
});
type Content = typeof content extends fc.Arbitrary<infer T> ? T : never;

function agentOf(id: string, own: Content): LiveAgent {
  return {
    id,
    tag: '"t"',
    record: { id, agent_display_name: own.name, agent_type: 'inbound', classification_labels: own.labels },
    version: {
      language: own.language,
      secondary_language: own.secondary,
      voice: { id: VOICE, name: 'Asha' },
      secondary_voice_id: null,
      agent_config: {
        prompt_sections: own.sections,
        intro_message: own.intro,
        custom_variables: [],
        vocab: own.vocab,
        voice_speed: own.speed,
        vad_settings: { interruption_sensitivity: 'default' },
        mute_while_bot_speaking: false,
        pre_query_response_phrases: [],
        pre_query_phrase_probability: 0,
        dtmf_settings: null,
        stt: null,
        s2s: null,
        llm: own.llm,
      },
      call_time_source: 'default',
      call_config: {
        call_time: { timezone: 'Asia/Kolkata' },
        idle_timeout_warning: own.warning,
        mute_during_intro: true,
      },
      knowledge_bases: own.bases.map((base) => ({
        knowledge_base_id: base,
        knowledge_base_name: `Base ${base}`,
      })),
      handoffs: [],
      client_analysis: own.analysis,
      evaluations: [],
      web_sessions: { require_session: false, page_variables: null },
      whitelisted_domains: ['https://callwright.example'],
      chat_settings: null,
      event_subscriptions: [],
      pre_call_tools: [],
      on_call_tools: own.hasTool ? [tool(own.token)] : [],
      post_call_tools: [],
      flow: own.flow,
    },
    cases: own.cases.map((each, at) => ({
      id: `case-${at}`,
      ...each,
      custom_args_values: {},
      expectations: [],
      tool_results: [],
    })),
  };
}

const liveOf = (contents: readonly Content[]): Live => ({
  workspaceId: 'w',
  agents: contents.map((own, at) => agentOf(`id-${at + 1}`, own)),
  bases: ['b1', 'b2', 'b3'].map((id) => ({ id, name: `Base ${id}` })),
  numbers: [
    { id: 'n1', number: '+14155550100', agentId: 'id-1' },
    { id: 'n2', number: '+14155550101', agentId: null },
  ],
});
const pair = fc.tuple(content, content);

/** The files as they come back from a disk. */
const written = (files: Files): Files =>
  new Map([...files].map(([folder, settings]) => [folder, fromFiles(folder, toFiles(settings))]));
const pulled = (live: Live, state = EMPTY, files: Files = new Map()) => {
  const found = pull(files, state, live);
  return { files: written(found.files), state: found.state, conflicts: found.conflicts };
};

/** What the service stores of one edit. */
function edited(version: JsonObject, { operation, fields }: PlannedEdit): JsonObject {
  const own = objectOf(version['agent_config']);
  const config = (change: JsonObject): JsonObject => ({ ...version, agent_config: { ...own, ...change } });
  switch (operation) {
    case 'edit_prompt':
      return config({ prompt_sections: objectOf(fields['agent_prompt'])['prompt_sections'] ?? [] });
    case 'edit_llm':
      return config({ llm: { on_model_failure: 'apologise', model: null, ...objectOf(fields['llm']) } });
    case 'edit_call_config':
      return {
        ...version,
        call_config: { ...objectOf(version['call_config']), ...objectOf(fields['call_config']) },
      };
    case 'edit_client_analysis': {
      const { context = '', goal_key = null, keys = {} } = fields;
      return {
        ...version,
        client_analysis: Object.keys(objectOf(keys)).length === 0 ? null : { context, goal_key, keys },
      };
    }
    case 'edit_on_call_tools':
      return { ...version, on_call_tools: listOf(fields['on_call_tools']).map(masked) };
    case 'edit_flow':
      return { ...version, flow: fields['flow'] ?? null };
    default:
      return config(fields);
  }
}
const masked = (each: Json): Json => {
  const headers = Object.entries(objectOf(objectOf(each)['headers'])).map(([name, value]) => [
    name,
    looksSecret(name, textOf(value)) && !textOf(value).endsWith('***') ? mask(textOf(value)) : value,
  ]);
  return { ...objectOf(each), headers: Object.fromEntries(headers) as JsonObject };
};

function after(live: Live, plans: readonly AgentPlan[], state: State): Live {
  const agents = live.agents.map((agent) => {
    const plan = plans.find(({ folder }) => state.agents[folder]?.id === agent.id);
    if (plan === undefined) return agent;
    const version = plan.edits.reduce<JsonObject>(edited, {
      ...agent.version,
      ...('primary_language' in plan.update ? { language: plan.update['primary_language'] ?? '' } : {}),
      ...('secondary_language' in plan.update
        ? { secondary_language: plan.update['secondary_language'] ?? null }
        : {}),
    });
    const bases = listOf(version['knowledge_bases']).filter(
      (base) => !plan.bases.remove.includes(textOf(objectOf(base)['knowledge_base_id'])),
    );
    const record = plan.agentEdits.reduce<JsonObject>(
      (known, { fields }) => ({ ...known, ...fields }),
      agent.record,
    );
    const made = plan.cases.create.map((body, at) => ({ id: `new-${at}`, ...body }));
    const kept = agent.cases
      .filter(({ id }) => !plan.cases.remove.includes(textOf(id)))
      .map((each) => ({ ...each, ...plan.cases.change.find(({ id }) => id === each['id'])?.body }));
    return {
      ...agent,
      record,
      version: {
        ...version,
        knowledge_bases: [...bases, ...plan.bases.attach.map((id) => ({ knowledge_base_id: id }))],
      },
      cases: [...kept, ...made],
    };
  });
  return { ...live, agents };
}

describe('files of agents', () => {
  it('come back from their texts as they were', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(pair, (contents) => {
        const { files } = pull(new Map(), EMPTY, liveOf(contents));
        for (const [folder, settings] of files)
          expect(fromFiles(folder, toFiles(settings))).toEqual(settings);
      }),
    );
  });

  it('have no mask of a secret, but its name', () => {
    const live = liveOf(
      fc.sample(content, { numRuns: 2, seed: 1 }).map((own) => ({ ...own, hasTool: true, name: 'Desk' })),
    );
    const texts = [...pulled(live).files]
      .flatMap(([, settings]) => [...toFiles(settings).values()])
      .join('\n');
    expect(texts).toContain('secret: DESK_ON_CALL_TOOLS_FIND_SLOTS_HEADERS_AUTHORIZATION');
    expect(texts).not.toContain('***');
  });

  it('name a setting that does not exist, a broken field and an agent without a folder', () => {
    expect(() => fromFiles('desk', new Map([['agent.yaml', 'nme: Desk']]))).toThrow('nme is not a setting');
    const settings = fromFiles(
      'desk',
      new Map([['agent.yaml', 'voice_speed: 9\nhandoffs: [{agent: billing, when: asks}]']]),
    );
    const problems = problemsOf(new Map([['desk', settings]]));
    expect(problems).toEqual([
      'desk: voice_speed must be at most 2',
      'desk: the agent billing, to which it hands conversations over, has no folder',
    ]);
  });
});

describe('a plan', () => {
  it('is empty after a pull, and no drift is found', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(pair, (contents) => {
        const live = liveOf(contents);
        const { files, state } = pulled(live);
        expect(planOf(files, state, live, NO_SECRETS)).toEqual({ agents: [], problems: [] });
        expect(driftOf(files, state, live)).toEqual([]);
      }),
    );
  });

  it('that is applied leaves an empty plan, whatever the files have', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(pair, pair, (contents, others) => {
        const live = liveOf(contents);
        const { state } = pulled(live);
        const other = pulled(liveOf(others));
        // The files of the other agents, under the folders of these.
        const folderOf = (of: State, id: string) =>
          Object.keys(of.agents).find((folder) => of.agents[folder]?.id === id) ?? '';
        const folders = new Map(
          live.agents.map(({ id }) => [folderOf(other.state, id), folderOf(state, id)]),
        );
        const files = new Map(
          [...other.files].map(([name, own]) => [folders.get(name) ?? '', renamed(own, folders)]),
        );
        const plan = planOf(files, state, live, { read: () => 'secret-value' });
        expect(plan.problems).toEqual([]);
        const next = planOf(files, state, after(live, plan.agents, state), NO_SECRETS);
        expect(next.agents.flatMap(({ changes: left }) => left.map(({ key }) => key))).toEqual([]);
      }),
    );
  });

  it('keeps a stored secret by its mask, and needs the value of a new one', () => {
    const [own] = fc.sample(content, { numRuns: 1, seed: 2 });
    const live = liveOf([{ ...own!, hasTool: true, name: 'Desk' }]);
    const { files, state } = pulled(live);
    const settings = { ...files.get('desk')! };
    const [first] = listOf(settings['on_call_tools']);
    settings['on_call_tools'] = [{ ...objectOf(first), description: 'Finds another.' }];
    const sent = planOf(new Map([['desk', settings]]), state, live, NO_SECRETS).agents[0]?.edits[0];
    expect(JSON.stringify(sent?.fields)).toContain(mask(own!.token));
    settings['on_call_tools'] = [{ ...objectOf(first), name: 'find_days' }];
    const { problems } = planOf(new Map([['desk', settings]]), state, live, NO_SECRETS);
    expect(problems).toEqual([expect.stringContaining('set the environment variable DESK_')]);
  });

  it('sends secrets again only when it is told to, and names them', () => {
    const [own] = fc.sample(content, { numRuns: 1, seed: 3 });
    const live = liveOf([{ ...own!, hasTool: true, name: 'Desk' }]);
    const { files, state } = pulled(live);
    const read = () => 'new-token';
    expect(planOf(files, state, live, { read }).agents).toEqual([]);
    const [plan] = planOf(files, state, live, { read, isResent: true }).agents;
    expect(plan?.edits.map(({ operation }) => operation)).toEqual(['edit_on_call_tools']);
    expect(JSON.stringify(plan?.edits)).toContain('new-token');
  });

  it('names a number and a knowledge base that the workspace does not have', () => {
    const live = liveOf(fc.sample(content, { numRuns: 1, seed: 4 }).map((own) => ({ ...own, name: 'Desk' })));
    const { files, state } = pulled(live);
    const settings = { ...files.get('desk'), numbers: ['+1999'], knowledge_bases: ['Prices'] };
    expect(planOf(new Map([['desk', settings]]), state, live, NO_SECRETS).problems).toEqual([
      'desk: knowledge_bases: the workspace has no knowledge base "Prices"',
      'desk: numbers: the workspace has no number +1999',
    ]);
  });
});

describe('a change by hand', () => {
  const changes = fc.constantFrom<readonly [string, (own: Content) => Content]>(
    ['intro_message', (own) => ({ ...own, intro: `${own.intro}!` })],
    ['voice_speed', (own) => ({ ...own, speed: own.speed + 0.25 })],
    [
      'prompt',
      (own) => ({ ...own, sections: [...own.sections, { section_title: 'More', section_content: '' }] }),
    ],
    [
      'classification_labels',
      (own) => ({ ...own, labels: [...own.labels, 'A label of more than forty characters, which is new'] }),
    ],
    ['call_config', (own) => ({ ...own, warning: own.warning + 1 })],
    [
      'test_cases',
      (own) => ({
        ...own,
        cases: [...own.cases, { name: 'A name of more than forty characters, which is new', lines: [] }],
      }),
    ],
  );

  it('is found and named, and a pull takes it over', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(pair, changes, ([first, second], [key, change]) => {
        const { files, state } = pulled(liveOf([first, second]));
        const live = liveOf([change(first), second]);
        const drifts = driftOf(files, state, live);
        expect(drifts.map(({ changes: all }) => all.map((each) => each.key))).toEqual([[key]]);
        const again = pulled(live, state, files);
        expect(again.conflicts).toEqual([]);
        expect(planOf(again.files, again.state, live, NO_SECRETS).agents).toEqual([]);
        expect(driftOf(again.files, again.state, live)).toEqual([]);
      }),
    );
  });

  it('leaves what changed in the files, unless both changed one setting', () => {
    const [own] = fc
      .sample(content, { numRuns: 1, seed: 5 })
      .map((each) => ({ ...each, name: 'Desk', speed: 1 }));
    const { files, state } = pulled(liveOf([own!]));
    const here = new Map([['desk', { ...files.get('desk'), voice_speed: 1.5 }]]);
    const taken = pull(here, state, liveOf([{ ...own!, intro: 'By hand.' }]));
    expect(taken.conflicts).toEqual([]);
    expect(taken.files.get('desk')).toMatchObject({ voice_speed: 1.5, intro_message: 'By hand.' });
    const both = liveOf([{ ...own!, speed: 0.5 }]);
    expect(pull(here, state, both).conflicts).toEqual(['desk: voice_speed']);
    expect(pull(here, state, both, true).files.get('desk')).toMatchObject({ voice_speed: 0.5 });
  });

  it('finds an agent that is new on the service, and one that was deleted there', () => {
    const [a, b] = fc.sample(content, { numRuns: 2, seed: 6 });
    const { files, state } = pulled(liveOf([{ ...a!, name: 'Desk' }]));
    const live = liveOf([
      { ...a!, name: 'Desk' },
      { ...b!, name: 'Added' },
    ]);
    expect(driftOf(files, state, live)).toEqual([{ folder: 'Added', changes: [], whole: 'new' }]);
    expect(driftOf(files, state, { ...live, agents: live.agents.slice(1) })).toContainEqual({
      folder: 'desk',
      changes: [],
      whole: 'deleted',
    });
  });
});

describe('a setting', () => {
  it('is the same with its defaults, in another order of keys, and where a file has a part of it', () => {
    expect(isSame('vad_settings', { interruption_sensitivity: 'default' }, {})).toBe(true);
    expect(
      isSame(
        'call_config',
        { a: 1, voicemail: { detect: true, retry: true } },
        { voicemail: { retry: true } },
      ),
    ).toBe(true);
    expect(isSame('call_config', { voicemail: { retry: true } }, { voicemail: { retry: false } })).toBe(
      false,
    );
    expect(digestOf('flow', { a: 1, b: [{ c: 1, d: 2 }] })).toBe(
      digestOf('flow', { b: [{ d: 2, c: 1 }], a: 1 }),
    );
  });
});

/** Handoffs to the folders of other names. */
function renamed(settings: Settings, folders: ReadonlyMap<string, string>): Settings {
  const own = settings['flow'];
  if (!isObject(own)) return settings;
  const nodes = listOf(own['nodes']).map((node) => {
    const { agent } = objectOf(node);
    return typeof agent === 'string' ? { ...objectOf(node), agent: folders.get(agent) ?? agent } : node;
  });
  return { ...settings, flow: { ...own, nodes } };
}
