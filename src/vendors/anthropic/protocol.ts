import type { VendorProtocol } from '../protocol.ts';
import { anthropicModel } from './llm.ts';

export const protocol: VendorProtocol = { llm: anthropicModel };
