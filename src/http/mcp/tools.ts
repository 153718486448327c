import { TEST_TRUNK } from '../../domain/trunks/test-trunk.ts';
import { ArgumentError, inputSchemaOf, plain, type ApiOperation, type Arguments } from './operations.ts';

/** The answer of an operation. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
/** Sends an operation as the caller of the tool. */
export type Send = (operation: string, given: Arguments) => Promise<Answer>;

/** A tool of the MCP server. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly isReadOnly: boolean;
  /** What it sends: a key reaches the tool if it may send each of them. */
  readonly operations: readonly string[];
  /** Throws `ArgumentError` for an argument that no operation can carry. */
  readonly run: (given: Arguments, send: Send) => Promise<Answer>;
}

type Operations = ReadonlyMap<string, ApiOperation>;

/** Tools that are one operation each, by the operation's name, with what a model should know beside its description. */
const SINGLE: Readonly<Record<string, string>> = {
  listAgents: 'Begin here to find the id of an agent.',
  getAgent: 'Its versions hold prompt, flow, voice, tools and settings.',
  createAgent: 'Call list_voices first: voice_id must speak primary_language.',
  updateAgent: 'Calls use the change at once.',
  openDraft: 'Then edit_agent with its version_id changes it; calls go on with the active version.',
  getDraft: '',
  getDraftDifference: 'Read it before publish_draft, and send its draft_tag and live_tag there.',
  publishDraft: 'Ask the person before you publish.',
  discardDraft: '',
  testAgent: 'Talks with the agent by text: no phone rings.',
  listVoices: '',
  listNumbers: '',
  listKnowledgeBases: '',
  queryKnowledgeBase: '',
  listTestCases: '',
  createTestCase: '',
  runTestCases: 'Send wait_seconds to get the verdicts in this answer.',
  listTestRuns: '',
  getTestRun: '',
  listCalls: '',
  getCall: 'For the reasons behind a call use explain_call.',
  hangUpCall: '',
  listChats: '',
  getChat: '',
  listCampaigns: '',
  getCampaign: '',
  getCampaignStatistics: '',
  getCampaignProgress: '',
  getPlatformAnalytics: '',
  getClassificationAnalytics: '',
  getComparisonAnalytics: '',
  getVendorAnalytics: '',
};

/** Every tool, over the operations of the API. */
export const toolsOf = (operations: Operations): Tool[] => [
  ...Object.entries(SINGLE).map(([operation, more]) => singleTool(operations, operation, more)),
  describeEdit(operations),
  editAgent(operations),
  placeTestCall(),
  explainCall(),
];

function operationIn(operations: Operations, name: string): ApiOperation {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`a tool names ${name}, which is no operation of the API`);
  return operation;
}

function singleTool(operations: Operations, name: string, more: string): Tool {
  const operation = operationIn(operations, name);
  return {
    name: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    description: [`${operation.summary}.`, operation.description, more]
      .filter((part) => part !== '')
      .join(' '),
    inputSchema: inputSchemaOf(operation),
    isReadOnly: operation.method === 'GET',
    operations: [name],
    run: (given, send) => send(name, given),
  };
}

const text = (description: string): object => ({ type: 'string', description });
const object = (properties: Readonly<Record<string, object>>, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The settings that edit_agent changes; each has a shape of its own, too long to list all of them. */
function settingsOf(operations: Operations): Map<string, object> {
  const { shapes } = operationIn(operations, 'editAgent');
  return new Map(shapes.map((shape) => [shape.title ?? '', shape]));
}

function describeEdit(operations: Operations): Tool {
  const settings = settingsOf(operations);
  return {
    name: 'describe_agent_edit',
    description: 'The JSON schema of the fields that edit_agent takes for one operation. Changes nothing.',
    inputSchema: object({ operation: { type: 'string', enum: [...settings.keys()] } }, ['operation']),
    isReadOnly: true,
    operations: ['editAgent'],
    run: async ({ operation }) => {
      const schema = settings.get(String(operation));
      if (schema === undefined)
        throw new ArgumentError(`operation must be one of ${[...settings.keys()].join(', ')}`);
      return { status: 200, body: { operation, schema: plain(schema) } };
    },
  };
}

function editAgent(operations: Operations): Tool {
  const names = [...settingsOf(operations).keys()];
  return {
    name: 'edit_agent',
    description:
      'Changes one setting of an agent, such as flow, tools, voice or model. describe_agent_edit gives the fields of an operation. To change a copy that takes no calls, send create_version first and name its version_id here; activate_version publishes it.',
    inputSchema: object(
      {
        agent_id: text('The agent.'),
        version_id: text('Absent: the active version.'),
        operation: { type: 'string', enum: names, description: 'The setting to change.' },
        fields: {
          type: 'object',
          description: 'The fields of the operation, without agent_id and version_id.',
        },
      },
      ['agent_id', 'operation'],
    ),
    isReadOnly: false,
    operations: ['editAgent'],
    run: ({ fields = {}, ...given }, send) => {
      if (typeof fields !== 'object' || fields === null) throw new ArgumentError('fields must be an object');
      return send('editAgent', { ...fields, ...given });
    },
  };
}

interface WorkspaceNumber {
  readonly id: string;
  readonly provider: string;
  readonly is_test_number: boolean;
}

/** Calls a number of the built-in test carrier: whatever the arguments say, no real phone rings. */
function placeTestCall(): Tool {
  return {
    name: 'place_test_call',
    description:
      'Places a call of an agent on the built-in test carrier, where a simulated person answers; no real phone rings. Endings of mobile_number choose the behaviour: 0002 busy, 0003 no answer, 0004 voicemail, 0006 silent, 0007 hangs up in the middle, any other a cooperative person. Then read it with get_call and explain_call.',
    inputSchema: object(
      {
        agent_id: text('The agent that calls.'),
        name: text('The name of the simulated person. Default: Test.'),
        mobile_number: text('E.164. Default: +14155550123.'),
        custom_args_values: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: "Values of the agent's variables.",
        },
      },
      ['agent_id'],
    ),
    isReadOnly: false,
    operations: ['listNumbers', 'placeCall'],
    run: async ({ agent_id, name = 'Test', mobile_number = '+14155550123', custom_args_values }, send) => {
      const listed = await send('listNumbers', {});
      if (listed.status !== 200) return listed;
      const numbers = listed.body['workspace_numbers'] as readonly WorkspaceNumber[];
      const from = numbers.find((number) => number.provider === TEST_TRUNK && !number.is_test_number);
      if (from === undefined)
        throw new ArgumentError('the workspace has no number on the built-in test carrier');
      return send('placeCall', {
        agent_id,
        name,
        mobile_number,
        from_number_id: from.id,
        ...(custom_args_values === undefined ? {} : { custom_args_values }),
      });
    },
  };
}

function explainCall(): Tool {
  return {
    name: 'explain_call',
    description:
      'Explains a call: result, transcript, attempts, analysis and faults of vendors and carrier (call), and what the agent heard and decided at each moment, from the event log (decisions). A call whose conversation never began has no decisions.',
    inputSchema: object({ id: text('The call_id.') }, ['id']),
    isReadOnly: true,
    operations: ['getCall', 'replayCall'],
    run: async ({ id }, send) => {
      const call = await send('getCall', { id, send_analysis: true });
      if (call.status !== 200) return call;
      const replay = await send('replayCall', { id });
      if (replay.status !== 200 && replay.status !== 404) return replay;
      const decisions =
        replay.status === 200
          ? { decisions: replay.body['data'] }
          : { decisions: null, decisions_missing: replay.body['message'] };
      return { status: 200, body: { call: call.body['data'], ...decisions } };
    },
  };
}
