import type { OnModelFailure, StoredOnCallTool, StoredSecret } from '../../store/json/tools.ts';
export const isSecret = (value: unknown): value is StoredSecret =>
  typeof value === 'object' && value !== null && 'sealed' in value && 'shown' in value;

/** The name of a tool for the model. */
export function toolName(tool: StoredOnCallTool): string {
  switch (tool.type) {
    case 'API_TOOL':
    case 'MCP_SERVER':
      return tool.name;
    case 'END_CALL_TOOL':
      return 'end_call';
    case 'OPT_OUT_TOOL':
      return 'opt_out';
    case 'SCHEDULE_CALLBACK_TOOL':
      return 'schedule_callback';
    case 'RECORDING_TOOL':
      return 'pause_recording';
    case 'DTMF_TOOL':
      return tool.name ?? 'send_keys';
    case 'WAIT_FOR_DTMF_TOOL':
      return tool.name ?? 'wait_for_keys';
    case 'CALL_TRANSFER_TOOL':
      break;
  }
  return tool.name ?? 'transfer_call';
}

/** Timeouts in seconds. A tool in a call keeps the caller waiting; a post-call tool does not. */
export const TOOL_SECONDS = {
  preCall: { most: 15, preset: 8 },
  onCall: { most: 10, preset: 8 },
  postCall: { most: 30, preset: 15 },
  keys: { most: 60, preset: 10 },
  ring: { most: 60, preset: 30 },
} as const;

/** What an agent can do when no language model answers. */
export const ON_MODEL_FAILURE: readonly OnModelFailure[] = ['apologise', 'script'];
