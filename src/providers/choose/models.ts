import { modelProvider, type ModelOptions } from '../llm/models.ts';
import type { LlmProvider } from '../ports/model.ts';
import { protocolOf } from './protocols.ts';

/** The language model of an account. */
export const openModel = (options: ModelOptions): LlmProvider =>
  modelProvider(options, protocolOf(options.vendor, 'llm'));
