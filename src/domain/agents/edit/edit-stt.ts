import type { SttSettings } from '../../../store/json/agent-version.ts';
import { checkChain } from '../../providers/check-chain.ts';
import { errors } from '../../../errors.ts';
import { operation, withAgentConfig } from './operation.ts';

interface SttEdit {
  readonly providers: SttSettings['providers'];
  readonly model?: string;
  readonly busyLine?: string | null;
}

/** Replaces the agent's choice of recognisers; null: those of the workspace. `editAgent` checks the languages afterwards. */
export const editStt = operation<{ stt: SttEdit | null }>(async ({ config, providers }, { stt }) => {
  if (stt === null) return withAgentConfig(config, { stt: null });
  const { operator, settings } = await providers();
  checkChain(operator, settings, 'stt', 'stt.providers', stt.providers);
  if (stt.model !== undefined && stt.providers[0] === 'offline') {
    throw errors.invalid('stt.model', 'is for the first of stt.providers, and offline has no models');
  }
  const busyLine = stt.busyLine?.trim() ?? '';
  return withAgentConfig(config, {
    stt: {
      providers: stt.providers,
      model: stt.model ?? null,
      ...(busyLine === '' ? {} : { busyLine }),
    },
  });
});
