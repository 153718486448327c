import { apiUrl, type OpenVendorModel } from '../../providers/llm/vendor-model.ts';

/** A server with OpenAI's chat protocol; without a key no header is sent. */
export const serverModel: OpenVendorModel = async (account) => ({
  model: (await import('@ai-sdk/openai-compatible'))
    .createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: apiUrl(account),
      ...(account.key === null ? {} : { apiKey: account.key }),
      fetch: account.fetch,
      includeUsage: true,
    })
    .chatModel(account.model),
});
