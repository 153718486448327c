import type { CallSpec } from '../session/protocol.ts';
import { callSpec, type PrepareDeps, type SpecInput } from './prepare-call.ts';

/** A call in which the agent says one sentence and hangs up. */
export interface AnnouncedCall {
  readonly ready: true;
  readonly spec: CallSpec;
  readonly tools: null;
}

/**
 * A call that finds every recogniser in use: the agent's voice says `line` and hangs up. The call has no recording and runs no tool.
 * Null: it cannot be prepared.
 */
export async function announcedCall(
  deps: Pick<PrepareDeps, 'spec' | 'providers' | 'log'>,
  call: SpecInput,
  line: string,
): Promise<AnnouncedCall | null> {
  const { workspaceId, config, callId } = call;
  const providers = await deps.providers(workspaceId, config);
  try {
    const { agent, ...spec } = callSpec(deps.spec, { ...call, providers });
    const waiting = { mode: 'caller', delayMs: 0, limitMs: spec.maxCallMs } as const;
    return {
      ready: true,
      spec: { ...spec, agent: { ...agent, firstSpeaker: waiting }, announcement: line, recordingPath: null },
      tools: null,
    };
  } catch (error) {
    deps.log.error({ err: error, callId }, 'the busy line of a call could not be prepared');
    return null;
  }
}
