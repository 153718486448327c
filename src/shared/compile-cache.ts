import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Beside the code that it is compiled from, so that nobody can change it who cannot change the code. */
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/compiled');

/**
 * Has Node.js keep compiled modules, also of threads that start later: every start after the first takes a quarter less
 * processor time. NODE_COMPILE_CACHE names another folder; a folder that cannot be written changes nothing.
 */
export function keepCompiledModules(): void {
  // Threads read the variable.
  process.env['NODE_COMPILE_CACHE'] ??= FOLDER;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}
