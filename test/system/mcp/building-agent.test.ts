import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Chats } from '../../../src/app/chats.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { connectMcp, type McpClient } from '../../helpers/agents/mcp-client.ts';
import { offlineChats } from '../../helpers/agents/offline-chats.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

let api: TestApi;
let chats: Chats;
let tenant: Tenant;
let mcp: McpClient;
beforeAll(async () => {
  const database = await createTestDatabase();
  chats = offlineChats({ db: database.db, clock: new ManualClock(), hasJobs: true });
  api = await createTestApi({ chats: chats.desk }, database);
  chats.start();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  tenant = await createTenant(api);
  mcp = await connectMcp(api, tenant.key);
});
afterAll(async () => {
  await mcp?.client.close();
  await chats?.stop();
  await api?.close();
});

interface Step {
  readonly tool: string;
  readonly given: Record<string, unknown>;
}
type Body = Record<string, any>;
type Seen = readonly { readonly step: Step; readonly body: Body }[];

/**
 * A model that stands in: reads the task and the answers so far, and decides for the next tool call, null when it is done. Its
 * first script lacks the question of the case, as a model's first try may.
 */
function nextStep(task: string, seen: Seen): Step | null {
  const clinic = /of (.+?) that/.exec(task)?.[1] ?? '';
  const question = /asks "(.+?)"/.exec(task)?.[1] ?? '';
  const answerOf = (tool: string): Body | undefined => seen.findLast(({ step }) => step.tool === tool)?.body;
  const agentId = answerOf('create_agent')?.['data']?.id as string | undefined;
  const script = (line: string): string => `1. Ask: "${line}"\n2. Thank them and say goodbye.`;
  const voices = answerOf('list_voices')?.['voices'] as { id: string }[] | undefined;
  if (voices === undefined) return { tool: 'list_voices', given: { language: 'en-US' } };
  if (agentId === undefined) {
    const given = {
      agent_name: clinic,
      introduction_and_objective: `You call patients of ${clinic}.`,
      response_guidelines: 'Be brief.',
      task: script('Is this a good moment?'),
      primary_language: 'en-US',
      voice_id: voices[0]?.id,
      intro_message: `Hello, this is ${clinic}.`,
    };
    return { tool: 'create_agent', given };
  }
  if (answerOf('create_test_case') === undefined) {
    const expectations = [{ type: 'says', any_of: [question] }];
    const given = { agent_id: agentId, name: 'Asks', lines: ['Hello?', 'Yes.'], expectations };
    return { tool: 'create_test_case', given };
  }
  const edits = seen.filter(({ step }) => step.tool === 'edit_agent');
  const copy = edits.find(({ step }) => step.given['operation'] === 'create_version');
  if (copy === undefined)
    return { tool: 'edit_agent', given: { agent_id: agentId, operation: 'create_version' } };
  const version_id: unknown = copy.body['version_id'];
  const run = { tool: 'run_test_cases', given: { agent_id: agentId, version_id, wait_seconds: 20 } };
  const last = seen.at(-1);
  if (last?.step.given['operation'] === 'activate_version') return null;
  const tested = last?.body['test_run'] as { run_id: string; state: string; result: string } | undefined;
  if (tested === undefined) return run;
  if (tested.state !== 'ended') {
    const given = { agent_id: agentId, run_id: tested.run_id, wait_seconds: 20 };
    return { tool: 'get_test_run', given };
  }
  const sections = [{ section_title: 'Task', section_content: script(question) }];
  const [operation, fields] =
    tested.result === 'passed'
      ? ['activate_version', {}]
      : ['edit_prompt', { agent_prompt: { prompt_sections: sections } }];
  return { tool: 'edit_agent', given: { agent_id: agentId, version_id, operation, fields } };
}

it('a stand-in model builds an agent from a sentence, mends it until its test passes, and publishes it', async () => {
  const task = 'Build an agent of City Dental that asks "Does Monday at ten suit you?"';
  const seen: { step: Step; body: Body }[] = [];
  for (let step = nextStep(task, seen); step !== null && seen.length < 100; step = nextStep(task, seen)) {
    const { isError, body, text } = await mcp.call(step.tool, step.given);
    expect([step.tool, isError, isError ? text : '']).toEqual([step.tool, false, '']);
    seen.push({ step, body });
  }
  const runs = seen.filter(({ body }) => body['test_run']?.state === 'ended');
  expect(runs.map(({ body }) => body['test_run'].result)).toEqual(['failed', 'passed']);
  const created = seen.find(({ step }) => step.tool === 'create_agent')?.body['data'] as Body;
  const { body } = await mcp.call('get_agent', { agent_id: created['id'] });
  const text = JSON.stringify(body['agents']);
  expect(text).toContain('Does Monday at ten suit you?');
  const published: unknown = runs.at(-1)?.body['test_run'].version_id;
  expect(published).not.toBe(created['version_id']);
  const { active_version_id } = await api.db
    .selectFrom('agents')
    .select('active_version_id')
    .where('id', '=', created['id'])
    .executeTakeFirstOrThrow();
  expect(active_version_id).toBe(published);
});
