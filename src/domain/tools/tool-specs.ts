import type { ToolSpec } from '../../voice/ports.ts';
import { parametersOf } from './tool-arguments.ts';
import {
  TOOL_SECONDS,
  toolName,
  type McpServer,
  type StoredOnCallTool,
  type StoredSecret,
} from './tool-types.ts';

export type StoredMcpServer = McpServer<string | StoredSecret>;

const NOTHING = { type: 'object', properties: {}, additionalProperties: false };
/** Beside the ringing: the agent's own last words, the trunk's pace and the briefing. */
const WARM_MS = 60_000;
const WAIT_DESCRIPTION =
  'Waits for the caller to press keys, after you have asked for them in the same turn. Answers with the keys.';

/** The tools of a list as a brain and the conversation see them; servers list theirs when the call starts. */
export const toolSpecs = (tools: readonly StoredOnCallTool[]): ToolSpec[] =>
  tools.flatMap((tool) => (tool.type === 'MCP_SERVER' ? [] : [specOf(tool)]));

function specOf(tool: Exclude<StoredOnCallTool, StoredMcpServer>): ToolSpec {
  const name = toolName(tool);
  const described = (preset: string) => ({ name, description: tool.description ?? preset });
  switch (tool.type) {
    case 'API_TOOL':
      return {
        ...described(''),
        parameters: parametersOf(tool),
        kind: 'remote',
        timeoutMs: secondsOf(tool, TOOL_SECONDS.onCall.preset) * 1000,
        sets: Object.keys(tool.result_variables ?? {}),
      };
    case 'END_CALL_TOOL':
    case 'OPT_OUT_TOOL':
    case 'SCHEDULE_CALLBACK_TOOL':
      return { ...described(''), parameters: NOTHING };
    case 'DTMF_TOOL':
      return {
        ...described('Presses keys on the line, for example in the menu of a machine that answered.'),
        parameters: tool.digits === undefined ? DIGITS : NOTHING,
        kind: 'send_keys',
        ...(tool.digits === undefined ? {} : { digits: tool.digits }),
      };
    case 'WAIT_FOR_DTMF_TOOL':
      return {
        ...described(WAIT_DESCRIPTION),
        parameters: NOTHING,
        kind: 'wait_for_keys',
        keys: { digits: tool.digits ?? null, end: tool.end ?? null },
        timeoutMs: secondsOf(tool, TOOL_SECONDS.keys.preset) * 1000,
      };
    case 'CALL_TRANSFER_TOOL':
      break;
  }
  const isWarm = tool.mode === 'warm';
  return {
    ...described('Connects the caller to a person. Say first that you are connecting them.'),
    parameters: NOTHING,
    kind: 'transfer',
    timeoutMs: (tool.ring_timeout_seconds ?? TOOL_SECONDS.ring.preset) * 1000 + (isWarm ? WARM_MS : 0),
  };
}

const DIGITS = {
  type: 'object',
  properties: { digits: { type: 'string', description: 'Keys out of 0-9, * and #.' } },
  required: ['digits'],
  additionalProperties: false,
};

export const secondsOf = (tool: { timeout_seconds?: number }, preset: number): number =>
  tool.timeout_seconds ?? preset;
