import { introduced } from '../../offline/script/purpose.ts';
import type { LlmProvider } from '../ports/model.ts';

/** A model whose conversations also know how the agent introduces itself to call screeners. */
export const introducing = (provider: LlmProvider): LlmProvider => ({
  ...provider,
  open: (context) => Object.assign(provider.open(context), introduced(context)),
});
