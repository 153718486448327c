import type { Command, Option } from 'commander';
import type { CodeOptions } from './run.ts';

interface Given extends CodeOptions {
  /** The key that the file holds. */
  readonly keyFile?: string;
}
interface KeyOptions {
  readonly key: () => Option;
  readonly keyFile: () => Option;
}

const withKey = <T extends Given>(options: T): T => ({ ...options, key: options.keyFile ?? options.key });

/** Adds the commands of agents as code: pull, validate, plan, apply, audit and rollback. */
export function addCodeCommands(program: Command, keys: KeyOptions): void {
  const folder = (command: Command): Command =>
    command.option('--folder <folder>', 'the folder with agents/ and .callwright/state.json', '.');
  const service = (command: Command): Command =>
    folder(command)
      .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
      .addOption(keys.key())
      .addOption(keys.keyFile());
  const secrets = 'send secrets again whose environment variable is set';

  service(program.command('pull'))
    .description('write the agents of the workspace as files; what changed in the files alone is kept')
    .option('--overwrite', 'take the side of the service where both changed', false)
    .action(async (options: Given & { overwrite: boolean }) => {
      const { runPull } = await import('./run.ts');
      process.exitCode = await runPull(withKey(options));
    });
  folder(program.command('validate'))
    .description('check the files of the agents, without a service')
    .action(async (options: { folder: string }) => {
      const { runValidate } = await import('./run.ts');
      process.exitCode = await runValidate(options.folder);
    });
  service(program.command('plan'))
    .description('print what an apply of the files would change')
    .option('--secrets', secrets, false)
    .action(async (options: Given & { secrets: boolean }) => {
      const { runPlan } = await import('./run.ts');
      process.exitCode = await runPlan(withKey(options));
    });
  service(program.command('apply'))
    .description('change the agents into what the files have, each by a published draft')
    .option('--note <note>', 'what changes and why, for the history of versions', 'callwright apply')
    .option('--secrets', secrets, false)
    .action(async (options: Given & { secrets: boolean; note: string }) => {
      const { runApply } = await import('./run.ts');
      process.exitCode = await runApply(withKey(options));
    });
  service(program.command('audit'))
    .description('name what changed on the service since the last pull or apply; exit code 1: something')
    .action(async (options: Given) => {
      const { runAudit } = await import('./run.ts');
      process.exitCode = await runAudit(withKey(options));
    });
  service(program.command('rollback <agent> <version>'))
    .description('go back to an earlier version of an agent (folder, name or id)')
    .option('--note <note>', 'why, for the history of versions')
    .action(async (agent: string, version: string, options: Given & { note: string | undefined }) => {
      const { runRollback } = await import('./run.ts');
      process.exitCode = await runRollback(agent, version, withKey(options));
    });
}
