import { errors } from '../../../errors.ts';
import type { S2sEntry } from '../../../vendors/accounts.ts';
import { checkS2s } from '../../providers/check-chain.ts';
import { operation, withAgentConfig } from './operation.ts';

interface S2sEdit {
  readonly provider: S2sEntry;
  readonly model?: string;
  readonly voice?: string;
}

/** Replaces the agent's choice of speech to speech; null: that of the workspace. */
export const editS2s = operation<{ s2s: S2sEdit | null }>(async ({ config, providers }, { s2s }) => {
  if (s2s === null) return withAgentConfig(config, { s2s: null });
  const { operator, settings } = await providers();
  checkS2s(operator, settings, 's2s.provider', s2s.provider);
  const { provider, model = null, voice = null } = s2s;
  if (provider === 'pipeline' && (model !== null || voice !== null)) {
    throw errors.invalid('s2s', 'has no model and no voice with pipeline');
  }
  return withAgentConfig(config, { s2s: { provider, model, voice } });
});
