import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, ServiceError, type ApiClient } from './api-client.ts';
import { completeValues, readPairs, ValuesRefused, type Ask } from './call-variables.ts';
import { colours, noColours, renderLive } from './live-view.ts';
import type { LiveCallEvent } from '../dialer/live-calls.ts';

export interface CallOptions {
  url: string;
  key: string | undefined;
  agent: string | undefined;
  from: string | undefined;
  name: string;
  var: string[];
  /** Calls without values that the agent needs. */
  allowMissing: boolean;
  json: boolean;
}
interface Agent {
  id: string;
  agent_display_name: string;
  agent_type: string;
}
interface AgentDetails {
  agents: {
    active_agent_version_id: string;
    version_details: Record<string, Version>;
  };
}
interface Version {
  call_time_source?: string;
}
type Window = PlacedCall['data']['calling_window'];
interface PlacedCall {
  data: {
    call_id: string;
    call_status: string;
    call_sub_status: string;
    next_attempt_at: string;
    calling_window: {
      source: string;
      timezone: string;
      callee_timezone: string | null;
      is_open: boolean;
      closes_at: string | null;
    };
    warnings: { code: string; field: string; message: string }[];
  };
}
interface CallDetails {
  data: {
    call_status: string;
    call_sub_status: string;
    call_cost: number | null;
    call_duration: number | null;
    recording_url: string | null;
  };
}

/**
 * Places one call and shows it live until it ends. Resolves with the exit code: 0 if the callee was reached, 2 if nothing
 * was sent.
 */
export async function runCall(number: string, options: CallOptions): Promise<number> {
  if (options.key === undefined || options.key === '') {
    console.error(
      'No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file (the first start prints a key or writes DATA_DIR/api-key.txt).',
    );
    return 2;
  }
  const api = createApiClient(options.url, options.key);
  try {
    return await placeAndShow(api, number, options, askOnTerminal());
  } catch (error) {
    if (error instanceof ValuesRefused) {
      console.error(error.message);
      return 2;
    }
    if (!(error instanceof ServiceError)) throw error;
    console.error(error.status === 0 ? error.message : `${error.status}: ${error.message}`);
    return 1;
  }
}

/** Questions go to stderr, so that stdout has the events alone. */
function askOnTerminal(): Ask {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return null;
  return async (question) => {
    const lines = createInterface({ input, output });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
}

/** Throws ValuesRefused before anything is sent, and ServiceError. */
export async function placeAndShow(
  api: ApiClient,
  number: string,
  options: CallOptions,
  ask: Ask,
): Promise<number> {
  const given = readPairs(options.var);
  const agent = await findAgent(api, options.agent);
  const from = await findCallerNumber(api, options.from);
  const version = await activeVersion(api, agent.id);
  const variables = await completeValues(version, given, { allowMissing: options.allowMissing, ask });
  const ink = process.stdout.isTTY ? colours : noColours;
  const startedAt = Date.now();
  const placed = await api.post<PlacedCall>('/calling/outbound/individual', {
    name: options.name,
    mobile_number: number,
    agent_id: agent.id,
    from_number_id: from.id,
    custom_args_values: variables,
    ...windowFor(version),
  });
  const callId = placed.data.call_id;
  if (!options.json) {
    for (const { code, field, message } of placed.data.warnings) {
      if (code !== 'WINDOW_CLOSED') console.error(`warning: ${field} ${message}`);
    }
    console.log(
      `${ink.bold(agent.agent_display_name)} calls ${number} from ${from.number}  ${ink.dim(callId)}`,
    );
  }
  if (!options.json) {
    const isClosed = placed.data.call_sub_status === 'WINDOW_CLOSED';
    console.log(ink.dim(calleeClock(placed.data.calling_window, Date.now())));
    if (isClosed) console.log(waitsFor(placed.data));
  }
  const data = await followCall(api, callId, (event) => {
    if (options.json) console.log(JSON.stringify(event));
    else for (const line of renderLive(event, startedAt, ink)) console.log(line);
  });
  if (!options.json) {
    console.log(
      `${ink.bold(data.call_status)} ${data.call_sub_status}` +
        `  duration ${data.call_duration ?? 0} s  cost ${data.call_cost ?? 0} credits`,
    );
    if (data.recording_url !== null) console.log(`recording ${data.recording_url}`);
  }
  return data.call_status === 'completed' ? 0 : 1;
}

/** Between two streams of a call that a process gave back to the queue. */
const FOLLOW_AGAIN_MS = 500;

/**
 * Shows a call until it ends, or waits for a retry. The stream of events ends with an attempt, also with one that its process
 * gave back before dialling: then the call is still queued.
 */
async function followCall(
  api: ApiClient,
  callId: string,
  show: (event: LiveCallEvent) => void,
): Promise<CallDetails['data']> {
  for (;;) {
    for await (const event of api.events<LiveCallEvent>(`/calling/${callId}/live`)) show(event);
    const { data } = await api.get<CallDetails>(`/calling/call-details?id=${callId}`);
    if (data.call_status !== 'registered') return data;
    await sleep(FOLLOW_AGAIN_MS);
  }
}

/** The version that new calls use. */
async function activeVersion(api: ApiClient, agentId: string): Promise<Version | undefined> {
  const { agents: agent } = await api.get<AgentDetails>(`/agent/${agentId}`);
  return agent.version_details[agent.active_agent_version_id];
}

/**
 * The window of a call whose agent has none of its own: the callee's local time, and the reader's zone for a number of no
 * country. The agent's own window stays.
 */
function windowFor(version: Version | undefined): object {
  if (version?.call_time_source !== 'default') return {};
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  return { call_config: { call_time: { timezone, use_callee_timezone: true } } };
}

/** The time at the callee, and until when calls may leave. */
export function calleeClock(
  { timezone, callee_timezone: callee, is_open: isOpen, closes_at: closes }: Window,
  now: number,
): string {
  const zone = callee ?? timezone;
  const at = (ms: number, style: Intl.DateTimeFormatOptions = {}): string =>
    new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone, ...style }).format(ms);
  const place = callee === null ? `${zone}, the time zone of the window` : zone;
  const until = !isOpen
    ? ''
    : closes === null
      ? '; calls may leave at any time'
      : `; calls may leave until ${at(Date.parse(closes), { dateStyle: 'medium' })}`;
  return `it is ${at(now)} in ${place}${until}`;
}

/** Until when a call waits, on the reader's clock and the callee's, and for whose window. */
export function waitsFor({ next_attempt_at: at, calling_window: window }: PlacedCall['data']): string {
  const show = (timeZone?: string): string =>
    new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      ...(timeZone === undefined ? {} : { timeZone }),
    }).format(new Date(at));
  const callee = window.callee_timezone;
  const there = callee === null ? '' : ` (${show(callee)} in ${callee})`;
  return `waits for the calling window of the ${window.source} until ${show()}${there}; Ctrl-C leaves it queued`;
}

async function findAgent(api: ApiClient, wanted: string | undefined): Promise<Agent> {
  const { data } = await api.get<{ data: { agents: Agent[] } }>('/agent/all');
  const able = data.agents.filter((a) => a.agent_type !== 'inbound');
  const agent =
    wanted === undefined ? able.at(0) : able.find((a) => a.id === wanted || a.agent_display_name === wanted);
  if (agent === undefined) {
    throw new ServiceError(
      404,
      wanted === undefined
        ? 'this workspace has no agent for outbound calls'
        : `this workspace has no outbound agent "${wanted}"`,
    );
  }
  return agent;
}

async function findCallerNumber(
  api: ApiClient,
  wanted: string | undefined,
): Promise<{ id: string; number: string }> {
  const { workspace_numbers: numbers } = await api.get<{
    workspace_numbers: { id: string; number: string; is_test_number: boolean }[];
  }>('/workspace/numbers');
  const found = numbers.find(
    (n) => !n.is_test_number && (wanted === undefined || n.id === wanted || n.number === wanted),
  );
  if (found === undefined) throw new ServiceError(404, 'this workspace has no matching caller number');
  return found;
}
