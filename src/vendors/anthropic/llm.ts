import { access, type OpenVendorModel } from '../../providers/llm/vendor-model.ts';

export const anthropicModel: OpenVendorModel = async (account) => ({
  model: (await import('@ai-sdk/anthropic')).createAnthropic(access(account))(account.model),
  reasoning: 'none',
  stable: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
