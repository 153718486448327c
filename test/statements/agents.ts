// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { AGENT_LANGUAGES } from '../../src/shared/agent-languages.ts';
import {
  both,
  data,
  ENGLISH,
  ok,
  refused,
  section,
  textField,
  UNKNOWN,
  voiceFor,
  voiceNotFor,
  type Statement,
  type World,
} from './statement.ts';

const create = section('Agent create request');

/** The prompt field becomes the section of this title. */
const becomes = (field: string, title: string) => async (w: World) => {
  const marker = `Marker of ${field}.`;
  const { agentId } = await w.agent({ [field]: marker });
  const { prompt_sections: sections } = (await w.version(agentId)).agent_config;
  const found = sections.find((s: { section_content: string }) => s.section_content.includes(marker));
  expect(found?.section_title).toBe(title);
};
export const AGENTS: readonly Statement[] = [
  create.prove('`agent_name`: string, yes, max 100 chars', textField('agent_name', 100, true)),
  create.prove(
    '`introduction_and_objective`: max 2000 chars; becomes the Objective prompt section',
    both(
      textField('introduction_and_objective', 2000, true),
      becomes('introduction_and_objective', 'Objective'),
    ),
  ),
  create.prove(
    '`response_guidelines`: max 3000 chars; becomes the Response Guidelines section',
    both(textField('response_guidelines', 3000, true), becomes('response_guidelines', 'Response Guidelines')),
  ),
  create.prove(
    '`task`: max 1500 chars; becomes the Conversation Script section',
    both(textField('task', 1500, true), becomes('task', 'Conversation Script')),
  ),
  create.prove(
    '`faq`: max 5000 chars; becomes the FAQs section (empty when omitted)',
    both(textField('faq', 5000, false), becomes('faq', 'FAQs'), async (w) => {
      const { agentId } = await w.agent();
      const { prompt_sections: sections } = (await w.version(agentId)).agent_config;
      expect(sections).toContainEqual({ section_title: 'FAQs', section_content: '' });
    }),
  ),
  create.prove(
    '`sample_conversations`: max 5000 chars; turns separated by newline characters; appended at the end of the Conversation Script section',
    both(textField('sample_conversations', 5000, false), async (w) => {
      const turns = 'Agent: Hello.\nCaller: Yes?';
      const { agentId } = await w.agent({ task: '1. Ask.', sample_conversations: turns });
      const { prompt_sections: sections } = (await w.version(agentId)).agent_config;
      const script = sections.find((s: any) => s.section_title === 'Conversation Script').section_content;
      expect(script.startsWith('1. Ask.')).toBe(true);
      expect(script.endsWith(turns)).toBe(true);
    }),
  ),
  create.prove('`primary_language`: string, yes, one of the language codes below', async (w) => {
    refused(await w.create({ primary_language: undefined }), 422, 'primary_language is required');
    refused(await w.create({ primary_language: 'fr-FR' }), 422, 'primary_language');
    ok(await w.create({ primary_language: 'en-US' }));
  }),
  create.prove('`secondary_language`: string, no, one of the language codes below', async (w) => {
    ok(await w.create({}));
    ok(await w.create({ secondary_language: 'en-US' }));
    refused(await w.create({ secondary_language: 'fr-FR' }), 422, 'secondary_language');
  }),
  create.prove(
    '`voice_id`: string (UUID), from `GET /agent/voices`; the voice must support the language',
    async (w) => {
      const listed = ok(await w.get('/agent/voices')).body['voices'] as { id: string }[];
      expect(listed.map((v) => v.id)).toContain(ENGLISH);
      refused(await w.create({ voice_id: undefined }), 422, 'voice_id is required');
      refused(await w.create({ voice_id: 'x' }), 422, 'voice_id');
      refused(await w.create({ voice_id: UNKNOWN }), 422, 'voice_id');
      refused(await w.create({ voice_id: voiceNotFor('en-US') }), 400);
    },
  ),
  create.prove(
    "`intro_message`: max 500 chars; the agent's first message",
    both(textField('intro_message', 500, true), async (w) => {
      const { agentId } = await w.agent({ intro_message: 'Good day.' });
      expect((await w.version(agentId)).agent_config.intro_message).toBe('Good day.');
    }),
  ),
  create.prove('`agent_type`: `inbound`, `outbound`, `outbound_inbound`; default `outbound`', async (w) => {
    for (const agent_type of ['inbound', 'outbound', 'outbound_inbound']) {
      const { agentId } = await w.agent({ agent_type });
      expect((await w.record(agentId)).agent_type).toBe(agent_type);
    }
    expect((await w.record((await w.agent()).agentId)).agent_type).toBe('outbound');
    refused(await w.create({ agent_type: 'both' }), 422, 'agent_type');
  }),
  create.prove(
    '`custom_variables`: for outbound agents `callee_name` and `mobile_number` are always included automatically',
    async (w) => {
      const variables = async (change: Record<string, unknown>): Promise<string[]> =>
        (await w.version((await w.agent(change)).agentId)).agent_config.custom_variables;
      expect(await variables({ custom_variables: ['slot'] })).toEqual([
        'callee_name',
        'mobile_number',
        'slot',
      ]);
      expect(await variables({})).toEqual(['callee_name', 'mobile_number']);
      expect(await variables({ agent_type: 'inbound', custom_variables: ['slot'] })).toEqual(['slot']);
      refused(await w.create({ custom_variables: 'slot' }), 422, 'custom_variables');
    },
  ),
  create.prove('`call_config`: object, no', async (w) => {
    ok(await w.create({ call_config: {} }));
    refused(await w.create({ call_config: 'x' }), 422, 'call_config');
  }),
  create.prove(
    'Language codes for `primary_language` and `secondary_language`: `en-US`, `en-GB`, `en-AU`, `en-IN`, `hi-IN`, `ta-IN`, `te-IN`, `bn-IN`, `mr-IN`, `kn-IN`, `ms-MY`, `zh-CN`, `od-IN`, `pa-IN`, `my-MM`.',
    async (w) => {
      const codes =
        'en-US en-GB en-AU en-IN hi-IN ta-IN te-IN bn-IN mr-IN kn-IN ms-MY zh-CN od-IN pa-IN my-MM'.split(
          ' ',
        );
      expect([...AGENT_LANGUAGES].sort()).toEqual([...codes].sort());
      for (const code of codes) {
        const voice_id = voiceFor(code);
        ok(await w.create({ primary_language: code, secondary_language: code, voice_id }));
      }
      for (const code of ['gu-IN', 'ar-AE', 'en', 'EN-US']) {
        refused(await w.create({ primary_language: code }), 422, 'primary_language');
      }
    },
  ),
  create.elsewhere(
    'Prompt variables are written `@{{name}}` or `{{name}}` in the prompt text.',
    'src/voice/prompt/render.test.ts > renders both forms of a variable',
  ),
  create.prove(
    'Create response (200): `{success: boolean, data: {id: <agent_id>, version: <string>, version_id: <uuid>, created_at: <ISO 8601 timestamp>}, message: <string>}`.',
    async (w) => {
      expect(ok(await w.create({})).body).toEqual({
        success: true,
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          version: expect.any(String),
          version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          // Ours, beside the keys of the interface: when the agent's calls leave.
          calling_window: expect.objectContaining({ start: '09:00', end: '21:00', timezone: 'Asia/Kolkata' }),
          warnings: [expect.objectContaining({ code: 'DEFAULT_CALL_TIME' })],
        },
        message: expect.any(String),
      });
    },
  ),
  create.prove('`data.id` is the `agent_id`.', async (w) => {
    const id = data(ok(await w.create({}))).id;
    ok(await w.edit(id, 'edit_voice_speed', { voice_speed: 1 }));
  }),
];
