import { describe, expect, it } from 'vitest';
import type { Live, State } from '../../http/agents/document/document.ts';
import { fromFiles, toFiles } from './folder.ts';
import { planOf } from '../../http/agents/document/plan.ts';
import { pull } from './pull.ts';
import { digestsOf } from '../../http/agents/document/settings.ts';
import { toSettings } from '../../http/agents/document/names.ts';

const WRITTEN = new Map([
  [
    'agent.yaml',
    '# The front desk.\nname: Desk\nvoice_speed: 1\nprompt:\n  - { title: Objective, file: prompt/who.md }\n',
  ],
  ['prompt/who.md', 'Answer the phone.\n'],
  ['tests.yaml', '# Kept.\n- { name: Greets, lines: [], expectations: [] }\n'],
]);

describe('files that a person wrote', () => {
  it('stay as they are, with comments and names of prompt files, where they say the same', () => {
    const settings = fromFiles('desk', WRITTEN);
    expect(toFiles(settings, WRITTEN)).toEqual(
      new Map([...WRITTEN].toSorted(([a], [b]) => (a === 'prompt/who.md' ? -1 : b === a ? 0 : 1))),
    );
  });

  it('are written anew where something in them changed, and the others stay', () => {
    const settings = fromFiles('desk', WRITTEN);
    const files = toFiles({ ...settings, voice_speed: 1.5 }, WRITTEN);
    expect(files.get('agent.yaml')).toBe(
      'name: Desk\nprompt:\n  - title: Objective\n    file: prompt/who.md\nvoice_speed: 1.5\n',
    );
    expect(files.get('tests.yaml')).toBe(WRITTEN.get('tests.yaml'));
    const added = toFiles({ ...settings, prompt: [{ title: 'FAQs', content: 'None.' }] }, WRITTEN);
    expect(added.get('prompt/01-faqs.md')).toBe('None.\n');
    expect(added.has('prompt/who.md')).toBe(false);
  });

  it('are refused with file and reason when they are broken', () => {
    const broken = (name: string, text: string) => () =>
      fromFiles('desk', new Map([...WRITTEN, [name, text]]));
    expect(broken('flow.yaml', 'start: [')).toThrow('desk/flow.yaml: ');
    expect(broken('flow.yaml', '- start')).toThrow('desk/flow.yaml: must be a flow, or be deleted');
    expect(broken('tests.yaml', 'name: Greets')).toThrow('desk/tests.yaml: must be a list of test cases');
    expect(broken('tools.yaml', 'tools: []')).toThrow('desk/tools.yaml: tools is not a setting');
    expect(broken('agent.yaml', 'prompt: [{ title: A, file: ../../key.md }]')).toThrow(
      'prompt names ../../key.md, which is no file of desk/prompt',
    );
  });
});

describe('a setting that agent.yaml leaves out', () => {
  const agent = {
    id: 'a1',
    tag: '"t"',
    record: { id: 'a1', agent_display_name: 'Desk', agent_type: 'inbound' },
    version: { agent_config: { voice_speed: 1, intro_message: 'Hi.', vocab: ['Riverside'] } },
    cases: [],
  };
  const live: Live = { workspaceId: 'w', agents: [agent], bases: [], numbers: [] };
  const state: State = {
    format: 1,
    workspace_id: 'w',
    agents: { desk: { id: 'a1', settings: digestsOf(toSettings('desk', agent, live, { agents: {} })) } },
  };
  const files = new Map([['desk', fromFiles('desk', new Map([['agent.yaml', 'voice_speed: 1\n']]))]]);

  it('is left by an apply, and by a pull until somebody changes it', () => {
    expect(planOf(files, state, live, { read: () => undefined })).toEqual({ agents: [], problems: [] });
    expect(pull(files, state, live).files.get('desk')).toEqual(files.get('desk'));
    const changed = { ...agent, version: { agent_config: { ...agent.version.agent_config, vocab: [] } } };
    const pulled = pull(files, state, { ...live, agents: [changed] }).files.get('desk');
    expect(pulled).toEqual({ ...files.get('desk'), vocab: [] });
  });

  it('comes back with its folder when the folder was deleted', () => {
    expect(pull(new Map(), state, live).files.get('desk')).toMatchObject({
      name: 'Desk',
      vocab: ['Riverside'],
    });
  });
});
