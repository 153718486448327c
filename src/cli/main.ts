import { Command, CommanderError } from 'commander';
import { loadConfig } from '../config.ts';
import { runCall, type CallOptions } from './call.ts';
import { examine, printFindings } from './doctor.ts';

const program = new Command('callwright')
  .description('Self-hosted AI voice agents on the phone')
  .exitOverride()
  .showHelpAfterError();

program
  .command('start')
  .description('run the service (the same as npm start)')
  .action(async () => {
    await import('../main.ts');
  });

program
  .command('call <number>')
  .description('place a call with an agent and show it live until it ends')
  .option('--agent <id or name>', 'the agent; without it the first that places calls')
  .option('--from <number or id>', 'the caller number; without it the first of the workspace')
  .option('--name <name>', 'name of the person called', 'Sam')
  .option('--var <name=value...>', 'values of prompt variables', [])
  .option('--url <url>', 'where the service is', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .option('--key <key>', 'the API key; without it CALLWRIGHT_API_KEY', process.env['CALLWRIGHT_API_KEY'])
  .option('--json', 'one JSON event a line', false)
  .action(async (number: string, options: CallOptions) => {
    process.exitCode = await runCall(number, { ...options, key: options.key });
  });

program
  .command('doctor')
  .description('check database, ports, SIP, voices, recognition and providers, and say what to do')
  .action(async () => {
    const loaded = loadConfig(process.env);
    for (const warning of loaded.warnings) console.log(`warn  ${warning}`);
    if (!loaded.ok) {
      for (const problem of loaded.problems) console.log(`FAIL  ${problem}`);
      process.exitCode = 2;
      return;
    }
    process.exitCode = printFindings(await examine(loaded.config));
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
