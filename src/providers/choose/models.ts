import { modelProvider, type ModelOptions } from '../llm/models.ts';
import type { LlmProvider } from '../ports/model.ts';
import { introducing } from './introduction.ts';
import { protocolOf } from './protocols.ts';

/** The language model of an account. */
export const openModel = (options: ModelOptions): LlmProvider =>
  introducing(modelProvider(options, protocolOf(options.vendor, 'llm')));
