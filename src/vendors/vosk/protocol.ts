import type { VendorProtocol } from '../protocol.ts';
import { voskStt } from './stt.ts';

export const protocol: VendorProtocol = { stt: { dialect: voskStt } };
