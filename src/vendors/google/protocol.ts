import type { VendorProtocol } from '../protocol.ts';
import { googleModel } from './llm.ts';
import { geminiS2s } from './s2s.ts';

export const protocol: VendorProtocol = { llm: googleModel, s2s: geminiS2s };
