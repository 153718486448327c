import { access, type OpenVendorModel } from '../../providers/llm/vendor-model.ts';

export const googleModel: OpenVendorModel = async (account) => ({
  model: (await import('@ai-sdk/google')).createGoogle(access(account))(account.model),
  reasoning: 'none',
});
