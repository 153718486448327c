import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { checkFlow } from '../../../voice/flow/check/check-flow.ts';
import type { FaultCode } from '../../../voice/flow/fault.ts';
import { knownAgent } from './known-agent.ts';

const OF_TOOLS: ReadonlySet<FaultCode> = new Set([
  'unknown_tool',
  'wrong_tool',
  'unknown_argument',
  'missing_argument',
  'wrong_type',
  'sensitive_use',
]);

/** Refuses on-call tools with which the version's flow would have a fault. Throws 422. */
export function checkKeptFlow(config: VersionConfig): void {
  if (config.flow == null) return;
  const { faults } = checkFlow(config.flow, knownAgent(config));
  const fault = faults.find(({ code }) => OF_TOOLS.has(code));
  if (fault !== undefined)
    throw errors.invalid('on_call_tools', `must keep what the flow of this version uses: ${fault.message}`);
}
