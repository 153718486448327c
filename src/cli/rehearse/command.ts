import { InvalidArgumentError, Option, type Command } from 'commander';
import { TIMING_NAMES } from '../../rehearsal/play/timing.ts';
import { RECOGNISERS } from '../../rehearsal/sound/recognisers.ts';
import type { RehearseOptions } from './run.ts';

const CALLS = 200;
const AT_ONCE = 10;
const MOST_AT_ONCE = 500;

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

function atOnce(text: string): number {
  const value = count(text);
  if (value < 1 || value > MOST_AT_ONCE)
    throw new InvalidArgumentError(`It must be from 1 to ${MOST_AT_ONCE}.`);
  return value;
}

function amount(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be an amount of money, from 0.');
  return value;
}

/** Adds `callwright rehearse`. */
export function addRehearseCommand(
  program: Command,
  keys: { readonly key: () => Option; readonly keyFile: () => Option },
): void {
  program
    .command('rehearse [scenarios...]')
    .description(
      'call agents with simulated callers, by text in virtual time; without files, the scenarios of the templates. Exit code 1: a call did not pass',
    )
    .option('--folder <folder>', 'the folder with agents/, as `callwright pull` writes it', '.')
    .option(
      '--agent <name>',
      'the folder of an agent, a template, or an agent of the service, for every scenario',
    )
    .option('--agent-version <version>', 'a version of that agent on the service (default: the active one)')
    .option(
      '--against <version or folder>',
      'play the same calls with this version of the agent, or the agents of this folder; exit code 1: the agent is worse',
    )
    .option(
      '--calls <number>',
      'calls of the run, spread over the scenarios; at least one each',
      count,
      CALLS,
    )
    .option('--seed <number>', 'the same seed plays the same calls', count, 1)
    .addOption(
      new Option('--timing <name>', 'how fast recogniser, model and voice are')
        .choices(TIMING_NAMES)
        .default('usual'),
    )
    .option(
      '--sound',
      'call in real time over SIP and RTP on loopback, with voices and a recogniser of this machine',
      false,
    )
    .option('--at-once <number>', 'calls by sound at a time', atOnce, AT_ONCE)
    .addOption(
      new Option(
        '--recogniser <name>',
        'who hears callers by sound: expected phrases, every word (with models of `callwright models`), or a recogniser that is given the words',
      )
        .choices(RECOGNISERS)
        .default('phrases'),
    )
    .option(
      '--max-cost <amount>',
      'callers by a model: begins no call that could take the cost beyond this, in the currency of the price list',
      amount,
    )
    .option(
      '--lines <file>',
      'callers by a model: record their lines here, and take recorded ones instead of asking the model',
    )
    .option('--only <call>', 'play this call of the run alone, and print it', count)
    .option('--from-call <call or log>', 'print a scenario from a finished call, or from a saved .jsonl log')
    .option('--from-flow <agent>', 'print scenarios for the ways through the flow of an agent')
    .option('--from-prompt <agent>', 'print scenarios for what the prompt of an agent says')
    .option('--save <folder>', 'write the event logs of failed calls, for `callwright replay`')
    .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
    .addOption(keys.key())
    .addOption(keys.keyFile())
    .option('--json', 'print the results as JSON', false)
    .action(
      async (
        paths: string[],
        options: RehearseOptions & {
          keyFile?: string;
          fromCall?: string;
          fromFlow?: string;
          fromPrompt?: string;
        },
      ) => {
        const given = { ...options, key: options.keyFile ?? options.key };
        if (options.fromCall !== undefined) {
          const { runFromCall } = await import('./from-call.ts');
          process.exitCode = await runFromCall(options.fromCall, given);
          return;
        }
        const made = options.fromFlow ?? options.fromPrompt;
        if (made !== undefined) {
          const { runFromAgent } = await import('./run.ts');
          process.exitCode = await runFromAgent({ ...given, agent: made });
          return;
        }
        const { runRehearse } = await import('./run.ts');
        process.exitCode = await runRehearse(paths, given);
      },
    );
}
