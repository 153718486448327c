import { keepCompiledModules } from './shared/compile-cache.ts';

// Before any other module is loaded.
keepCompiledModules();
const { runService } = await import('./app/service.ts');
await runService();
