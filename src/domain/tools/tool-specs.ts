import type {
  McpServer,
  RecordingTool,
  StoredApiTool,
  StoredOnCallTool,
  StoredSecret,
} from '../../store/json/tools.ts';
import type { ToolSpec } from '../../providers/ports/model.ts';
import { argumentsOf, parametersOf } from './tool-arguments.ts';
import { TOOL_SECONDS, toolName } from './tool-types.ts';

export type StoredMcpServer = McpServer<string | StoredSecret>;

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };
/** Added to the ring timeout: the agent's last words, the trunk's dial rate and the briefing. */
const WARM_MS = 60_000;
const WAIT_DESCRIPTION =
  'Waits for the caller to press keys, after you have asked for them in the same turn. Answers with the keys.';

const HIDDEN =
  'The keys are hidden from you: pass the text in place of them, such as "[keys hidden 1]", to a tool that takes them.';

/** The specs of a tool list for the model and the conversation; MCP servers list their tools at call start. */
export const toolSpecs = (tools: readonly StoredOnCallTool[]): ToolSpec[] =>
  tools.flatMap((tool) => (tool.type === 'MCP_SERVER' ? [] : specsOf(tool)));

function specsOf(tool: Exclude<StoredOnCallTool, StoredMcpServer>): ToolSpec[] {
  if (tool.type !== 'RECORDING_TOOL') return [specOf(tool)];
  const pause =
    tool.description ?? 'Pauses the recording of this call, before the caller says something secret.';
  return [
    { name: 'pause_recording', description: pause, parameters: NO_PARAMETERS },
    { name: 'resume_recording', description: 'Resumes the recording.', parameters: NO_PARAMETERS },
  ];
}

function specOf(tool: Exclude<StoredOnCallTool, StoredMcpServer | RecordingTool>): ToolSpec {
  const name = toolName(tool);
  const described = (preset: string) => ({ name, description: tool.description ?? preset });
  switch (tool.type) {
    case 'API_TOOL':
      return {
        ...described(''),
        parameters: parametersOf(tool),
        kind: 'remote',
        timeoutMs: secondsOf(tool, TOOL_SECONDS.onCall.preset) * 1000,
        sets: Object.keys(tool.resultVariables ?? {}),
        ...sensitiveOf(tool),
      };
    case 'END_CALL_TOOL':
    case 'OPT_OUT_TOOL':
    case 'SCHEDULE_CALLBACK_TOOL':
      return { ...described(''), parameters: NO_PARAMETERS };
    case 'DTMF_TOOL':
      return {
        ...described('Presses keys on the line, for example in the menu of a machine that answered.'),
        parameters: tool.digits === undefined ? DIGITS : NO_PARAMETERS,
        kind: 'send_keys',
        ...(tool.digits === undefined ? {} : { digits: tool.digits }),
      };
    case 'WAIT_FOR_DTMF_TOOL':
      return {
        ...described(tool.sensitive === true ? `${WAIT_DESCRIPTION} ${HIDDEN}` : WAIT_DESCRIPTION),
        parameters: NO_PARAMETERS,
        kind: 'wait_for_keys',
        keys: {
          digits: tool.digits ?? null,
          end: tool.end ?? null,
          ...(tool.sensitive === true ? { sensitive: true } : {}),
        },
        timeoutMs: secondsOf(tool, TOOL_SECONDS.keys.preset) * 1000,
      };
    case 'CALL_TRANSFER_TOOL':
      break;
  }
  const ringMs = (tool.ringTimeoutSeconds ?? TOOL_SECONDS.ring.preset) * 1000;
  const warmMs = ringMs + WARM_MS;
  const modeMs = { cold: ringMs, warm: warmMs, auto: ringMs + warmMs, join: warmMs };
  return {
    ...described(tool.mode === 'join' ? JOIN_DESCRIPTION : TRANSFER_DESCRIPTION),
    parameters: NO_PARAMETERS,
    kind: 'transfer',
    timeoutMs: modeMs[tool.mode ?? 'cold'],
  };
}

/** The parameters that may get the caller's sensitive keys. */
function sensitiveOf(tool: StoredApiTool): Pick<ToolSpec, 'sensitive'> {
  const sensitive = argumentsOf(tool).flatMap(({ name, argument }) =>
    argument.sensitive === true ? [name] : [],
  );
  return sensitive.length === 0 ? {} : { sensitive };
}

const TRANSFER_DESCRIPTION = 'Connects the caller to a person. Say first that you are connecting them.';
const JOIN_DESCRIPTION =
  'Calls a person, who joins you and the caller. Say first that you are calling them. Once they have joined, introduce them and the caller to each other. Use the tool a second time to leave the two alone.';

const DIGITS = {
  type: 'object',
  properties: { digits: { type: 'string', description: 'Keys out of 0-9, * and #.' } },
  required: ['digits'],
  additionalProperties: false,
};

export const secondsOf = (tool: { timeoutSeconds?: number }, preset: number): number =>
  tool.timeoutSeconds ?? preset;
