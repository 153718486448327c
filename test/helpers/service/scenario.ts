import type { Service } from './service.ts';
import { eventually, TEST_KEY } from './service.ts';

/** What a scenario needs of a service: the real program, or one in virtual time. */
export type ApiClient = Pick<Service, 'request'>;

/** A provision document: one workspace with money and one number on `trunk`. */
export const provisionWith = (options: {
  trunks?: readonly Record<string, unknown>[];
  trunk?: string;
  credits?: number | 'unlimited';
  callLimit?: number;
  owner?: { email: string; password: string };
}): Record<string, unknown> => ({
  trunks: options.trunks ?? [],
  workspaces: [
    {
      name: 'Test',
      api_key: TEST_KEY,
      credits: options.credits ?? 1000,
      call_limit: options.callLimit ?? 200,
      ...(options.owner === undefined ? {} : { owner: options.owner }),
      numbers: [{ number: '+14155550100', trunk: options.trunk ?? 'test', display_name: 'Main' }],
    },
  ],
});

/** A short agent that may call at any hour; `over` replaces fields of the create request. */
export async function createAgent(service: ApiClient, over: Record<string, unknown> = {}): Promise<string> {
  const voices = await service.request('GET', '/api/v0/agent/voices?language=en-US');
  if (voices.status !== 200) throw new Error(`no voices: ${voices.status} ${JSON.stringify(voices.body)}`);
  const { status, body } = await service.request('POST', '/api/v0/public/agent', {
    agent_name: 'Appointments',
    introduction_and_objective: 'You are Maya of Riverside Dental. You confirm an appointment.',
    response_guidelines: 'Be brief and friendly.',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Thank them and say goodbye.',
    primary_language: 'en-US',
    voice_id: voices.body.voices[0].id,
    intro_message: 'Hello, this is Maya of Riverside Dental.',
    agent_type: 'outbound_inbound',
    ...over,
    call_config: {
      call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' },
      ...(over['call_config'] as object | undefined),
    },
  });
  if (status !== 200) throw new Error(`agent not created: ${JSON.stringify(body)}`);
  return body.data.id as string;
}

/** Subscribes the agent to every voice event at `url`. */
export async function subscribe(
  service: ApiClient,
  agentId: string,
  url: string,
  headers: Record<string, string> = { authorization: 'Bearer receiver' },
): Promise<void> {
  const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation: 'edit_event_subscriptions',
    agent_id: agentId,
    event_subscriptions: [
      {
        event_type: [
          'call_started',
          'call_ringing',
          'call_ongoing',
          'call_completed',
          'recording_completed',
          'all_processing_completed',
        ],
        callback_url: url,
        method_type: 'POST',
        headers,
      },
    ],
  });
  if (status !== 200) throw new Error(`not subscribed: ${JSON.stringify(body)}`);
}

/** Places a call and returns its id. */
export async function place(
  service: ApiClient,
  agentId: string,
  number: string,
  over: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await service.request('POST', '/api/v0/calling/outbound/individual', {
    name: 'Sam',
    mobile_number: number,
    agent_id: agentId,
    from_number: '+14155550100',
    ...over,
  });
  if (status !== 200) throw new Error(`not placed: ${status} ${JSON.stringify(body)}`);
  return body.data.call_id as string;
}

export async function details(service: ApiClient, callId: string): Promise<any> {
  const { body } = await service.request('GET', `/api/v0/calling/call-details?id=${callId}`);
  return body.data;
}

/** Waits until the call satisfies `probe` and returns its details; throws with the last ones. */
export async function whenCall(
  service: ApiClient,
  callId: string,
  what: string,
  probe: (call: any) => boolean,
  timeoutMs?: number,
): Promise<any> {
  let call: any;
  const look = async (): Promise<any> => {
    call = await details(service, callId);
    return call !== undefined && probe(call) ? call : null;
  };
  return eventually(`call to be ${what}`, look, timeoutMs).catch((error: Error) => {
    throw new Error(`${error.message}; its details: ${JSON.stringify(call)}`, { cause: error });
  });
}

const TERMINAL = ['completed', 'failed', 'error', 'cancelled'];
export const whenOver = (service: ApiClient, callId: string, timeoutMs = 90_000): Promise<any> =>
  whenCall(service, callId, 'over', (call) => TERMINAL.includes(call.call_status), timeoutMs);

/** Waits until the call is answered; throws when it ends before. */
export const whenAnswered = (service: ApiClient, callId: string): Promise<any> =>
  whenCall(service, callId, 'answered', (call) => {
    if (call.answered_at !== null) return true;
    if (TERMINAL.includes(call.call_status)) throw new Error('the call ended unanswered');
    return false;
  });

/** The transcript of call details, parsed. */
export const transcriptOf = (call: any): { bot?: string; user?: string; audio_offset_ms: number }[] =>
  call.transcription_url === null ? [] : JSON.parse(call.transcription_url);
