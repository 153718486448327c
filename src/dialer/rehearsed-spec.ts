import { toolSpecs } from '../domain/tools/tool-specs.ts';
import type { CallSpec } from '../session/protocol.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import { callSpec } from './prepare-call.ts';

/** The agent as a rehearsed call has it: no vendor, no knowledge, and tools by name alone. */
export function rehearsedSpec(
  agent: { readonly name: string; readonly id: string; readonly isInbound: boolean },
  config: VersionConfig,
): CallSpec {
  const spec = callSpec(
    { voiceKey: (voice) => voice },
    {
      callId: agent.id,
      workspaceId: '',
      attempt: 1,
      direction: agent.isInbound ? 'inbound' : 'outbound',
      agentName: agent.name,
      config,
      variables: {},
      capMs: config.callConfig.maxCallLength * 1_000,
    },
  );
  return { ...spec, tools: toolSpecs(config.onCallTools ?? []) };
}
