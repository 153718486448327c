import { createHash } from 'node:crypto';
import { access, type OpenVendorModel } from '../../providers/llm/vendor-model.ts';

/** The part of the instructions that all calls of an agent share: it ends where the first value of a variable begins. */
function cacheKey(instructions: string): string {
  const [shared = ''] = instructions.split('«', 1);
  return createHash('sha256').update(shared).digest('hex').slice(0, 32);
}

export const openaiModel: OpenVendorModel = async (account) => ({
  model: (await import('@ai-sdk/openai')).createOpenAI(access(account))(account.model),
  reasoning: 'none',
  options: (instructions) => ({
    openai: {
      store: false,
      reasoningSummary: null,
      promptCacheKey: cacheKey(instructions),
    },
  }),
});
