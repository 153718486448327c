import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every start of the program loads the same modules: the first start compiles them, the others reuse the result. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'callwright-compile-cache') };
