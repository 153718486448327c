import type { VendorProtocol } from '../protocol.ts';
import { assemblyaiStt } from './stt.ts';

export const protocol: VendorProtocol = { stt: { dialect: assemblyaiStt } };
