import { Command, CommanderError, Option } from 'commander';
import { loadConfig, type Config } from '../config.ts';
import { keepCompiledModules } from '../shared/compile-cache.ts';
import { callCount, firstWord, portNumber, seconds } from './arguments.ts';
import { addCodeCommands } from './as-code/commands.ts';
import { addRehearseCommand } from './rehearse/command.ts';
import type { CarrierApiOptions, CarrierCallOptions } from './carriers.ts';
import type { CallOptions } from './call.ts';
import type { ExportPersonOptions } from './export-person.ts';
import type { ListenOptions } from './listen.ts';
import type { ReplayOptions } from './replay.ts';
import type { TraceOptions } from './trace.ts';
import type { UpgradeOptions } from './upgrade.ts';
import type { TestOptions } from './test-agent.ts';
import { versionLine } from './version-line.ts';

// Each command loads its own modules.
keepCompiledModules();

const program = new Command('callwright')
  .description('Self-hosted AI voice agents on the phone')
  .option('-V, --version', 'print the version and the commit that it was built from')
  .exitOverride()
  // The whole help would push the error out of sight.
  .showHelpAfterError('--help shows the commands and options.')
  .on('option:version', () => {
    console.log(versionLine());
    throw new CommanderError(0, 'commander.version', 'printed');
  });
// `npx callwright` is the whole first step.
if (process.argv.length === 2) process.argv.push('start');

/** The help names the variable, and never its value. */
const keyOption = (): Option => new Option('--key <key>', 'the API key').env('CALLWRIGHT_API_KEY');
const keyFileOption = (): Option =>
  new Option('--key-file <file>', 'a file that begins with the key, such as DATA_DIR/api-key.txt').argParser(
    firstWord,
  );

interface KeyFile {
  /** The key that the file holds. */
  readonly keyFile?: string;
}

program
  .command('start')
  .description('run the service (also without any command)')
  .action(async () => {
    await import('../main.ts');
  });

program
  .command('call <number>')
  .description('place a call and show it live until it ends')
  .option('--agent <id or name>', 'the agent (default: the first outbound agent)')
  .option('--from <number or id>', 'the caller number (default: the first number of the workspace)')
  .option('--name <name>', 'name of the callee', 'Sam')
  .option('--var <name=value...>', 'values of prompt variables; missing ones are asked for on a terminal', [])
  .option('--allow-missing', 'call without missing values: the agent leaves those phrases out', false)
  .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .addOption(keyOption())
  .addOption(keyFileOption())
  .option('--json', 'print one JSON event per line', false)
  .action(async (number: string, options: CallOptions & KeyFile) => {
    const { runCall } = await import('./call.ts');
    process.exitCode = await runCall(number, { ...options, key: options.keyFile ?? options.key });
  });

program
  .command('test <agent>')
  .description(
    'run the test cases of an agent (id or name); exit codes: 0 passed, 1 failed, 3 not judged or error',
  )
  .option('--case <id or name...>', 'only these cases', [])
  .option('--agent-version <id or name>', 'the version (default: the active one)')
  .option(
    '--strict',
    "exit with 3, too, when another engine than the agent's first model replied (default when CI=true)",
    process.env['CI'] === 'true',
  )
  .option('--no-strict', 'the same replies count as those of the agent')
  .option('--run-tools', 'really call tools that have no answer in the case', false)
  .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .addOption(keyOption())
  .addOption(keyFileOption())
  .option('--json', 'print the run as JSON', false)
  .action(async (agent: string, options: TestOptions & KeyFile) => {
    const { runTestAgent } = await import('./test-agent.ts');
    process.exitCode = await runTestAgent(agent, { ...options, key: options.keyFile ?? options.key });
  });

addRehearseCommand(program, { key: keyOption, keyFile: keyFileOption });

program
  .command('replay <call> [file]')
  .description(
    'run a past call, or a saved .jsonl log, through the conversation core again: does it decide the same?',
  )
  .option('--save', 'write a fixture for tests to the file (default: replay-CALL.jsonl)', false)
  .option('--words', 'keep all words in the fixture; without it, words that no rule knows are masked', false)
  .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .addOption(keyOption())
  .addOption(keyFileOption())
  .action(async (call: string, file: string | undefined, options: ReplayOptions & KeyFile) => {
    const { runReplay } = await import('./replay.ts');
    process.exitCode = await runReplay(call, file, { ...options, key: options.keyFile ?? options.key });
  });

program
  .command('trace <call>')
  .description(
    'print the SIP messages of a past call, without numbers and credentials, and its audio quality',
  )
  .option('--pcap <file>', 'write the messages as a capture for Wireshark; - prints text for text2pcap')
  .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .addOption(keyOption())
  .addOption(keyFileOption())
  .action(async (call: string, options: TraceOptions & KeyFile) => {
    const { runTrace } = await import('./trace.ts');
    process.exitCode = await runTrace(call, { ...options, key: options.keyFile ?? options.key });
  });

program
  .command('listen <target>')
  .description(
    'forward new webhooks of the workspace to a port or an address of this machine, signed, until Ctrl+C',
  )
  .option('--secret <secret>', 'signs what is forwarded (default: a new one, which is printed)')
  .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .addOption(keyOption())
  .addOption(keyFileOption())
  .action(async (target: string, options: ListenOptions & KeyFile) => {
    const { runListen } = await import('./listen.ts');
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    process.exitCode = await runListen(
      target,
      { ...options, key: options.keyFile ?? options.key },
      stop.signal,
    );
  });

addCodeCommands(program, { key: keyOption, keyFile: keyFileOption });

program
  .command('export-person [number...]')
  .description(
    'write everything that the workspace keeps of a person, recordings included, into a new folder',
  )
  .option('--call <id...>', 'calls of the person without a number, such as calls of a browser', [])
  .option('--chat <id...>', 'chats of the person without a number, such as chats of a web page', [])
  .option('--folder <folder>', 'where to write', 'person')
  .option('--url <url>', 'URL of the service', process.env['CALLWRIGHT_URL'] ?? 'http://127.0.0.1:8080')
  .addOption(keyOption())
  .addOption(keyFileOption())
  .action(async (numbers: string[], options: ExportPersonOptions & KeyFile) => {
    const { runExportPerson } = await import('./export-person.ts');
    process.exitCode = await runExportPerson(numbers, { ...options, key: options.keyFile ?? options.key });
  });

program
  .command('doctor')
  .description('check database, ports, SIP, voices, speech recognition and providers, and suggest fixes')
  .option('--workspace <name>', 'try the vendors of this workspace instead')
  .action(({ workspace }: { workspace?: string }) =>
    withSettings(async (config) => {
      const { printFindings } = await import('./finding.ts');
      if (workspace === undefined) return printFindings(await (await import('./doctor.ts')).examine(config));
      const { examineWorkspace } = await import('./doctor-workspace.ts');
      return printFindings(await examineWorkspace(config, workspace));
    })(),
  );

program
  .command('capacity')
  .description(
    'measure how many calls fit on this machine, by engine, and what so many calls need; takes a minute',
  )
  .addOption(new Option('--calls <number>', 'calls at once to plan for').default(1000).argParser(callCount))
  .option('--json', 'print JSON', false)
  .action((options: { calls: number; json: boolean }) =>
    withSettings(async (config) => (await import('./capacity.ts')).runCapacity(config, options))(),
  );

interface RestoreOptions {
  readonly replace: boolean;
  readonly verify: boolean;
  readonly tombstones: readonly string[];
  readonly withoutTombstones: boolean;
}

program
  .command('backup <folder>')
  .description('copy database, recordings and key file into a new folder; the service may run')
  .action((folder: string) =>
    withSettings(async (config) => (await import('./backup.ts')).runBackup(config, folder))(),
  );

program
  .command('restore <folder>')
  .description('load a backup into this DATA_DIR and database; the service must not run')
  .option('--replace', 'replace an installation that has data', false)
  .addOption(
    new Option(
      '--verify',
      'prove the backup in a throw-away folder; changes no installation, the service may run',
    )
      .default(false)
      .conflicts(['replace', 'tombstones', 'withoutTombstones']),
  )
  .option(
    '--tombstones <file...>',
    'copies of the list of what was erased, opted out and revoked, beside that of DATA_DIR or the store',
    [],
  )
  .option(
    '--without-tombstones',
    'every copy of the list is lost: bring erased people back and revoke every key',
    false,
  )
  .action((folder: string, options: RestoreOptions) =>
    withSettings(async (config) => {
      const { runRestore, runVerify } = await import('./backup.ts');
      return options.verify ? runVerify(config, folder) : runRestore(config, folder, options);
    })(),
  );

program
  .command('upgrade [version]')
  .description('back up, then install another version of the npm package; the service must not run')
  .option('--no-backup', 'there is a backup already')
  .action((version: string | undefined, options: UpgradeOptions) =>
    withSettings(async (config) =>
      (await import('./upgrade.ts')).runUpgrade(config, version ?? 'latest', options),
    )(),
  );

program
  .command('split-months')
  .description('keep calls, attempts and records in a table for each month from now on; the service may run')
  .action(withSettings(async (config) => (await import('./split-months.ts')).runSplitMonths(config)));

program
  .command('rotate-recording-links')
  .description('sign links to recordings with a new key; earlier links stay valid until they expire')
  .option('--revoke', 'end every link that was handed out', false)
  .action((options: { revoke: boolean }) =>
    withSettings(async (config) => (await import('./rotate-links.ts')).runRotateLinks(config, options))(),
  );

program
  .command('rotate-key')
  .description('seal every stored secret with SECRET_KEY, or with a new key file; the service must not run')
  .action(withSettings(async (config) => (await import('./rotate-key.ts')).runRotateKey(config)));

program
  .command('secrets')
  .description('the secrets that the database stores sealed')
  .command('empty')
  .description(
    'go on after the loss of SECRET_KEY: empty every secret that the key of now cannot open; the service must not run',
  )
  .action(withSettings(async (config) => (await import('./empty-secrets.ts')).runEmptySecrets(config)));

/** Runs a command with the settings of the environment; its result is the exit code, 2 for invalid settings. */
function withSettings(command: (config: Config) => Promise<number>): () => Promise<void> {
  return async () => {
    const loaded = loadConfig(process.env);
    // To stderr, so that the output of --json stays JSON.
    for (const warning of loaded.warnings) console.error(`warn  ${warning}`);
    if (loaded.ok) {
      process.exitCode = await command(loaded.config);
      return;
    }
    for (const problem of loaded.problems) console.log(`FAIL  ${problem}`);
    process.exitCode = 2;
  };
}

program
  .command('first-run')
  .description('print a new link that creates the first owner, within 24 hours; earlier links are invalid')
  .action(withSettings(async (config) => (await import('./first-run.ts')).runFirstRun(config)));

program
  .command('user')
  .description('people who sign in to the dashboard')
  .command('reset <email>')
  .description('print a link with which the user sets a new password, once, within 24 hours')
  .option('--two-step', 'turn the two-step sign-in of the user off instead', false)
  .action((email: string, options: { twoStep: boolean }) =>
    withSettings(async (config) => (await import('./user-reset.ts')).runUserReset(config, email, options))(),
  );

const models = program
  .command('models')
  .description('recognisers, voices and other models that this machine runs itself');
models
  .command('list')
  .description('every model with its state, size, licence and cost')
  .action(withSettings(async (config) => (await import('./models.ts')).listModels(config)));
models
  .command('get [id...]')
  .description('fetch models into MODELS_DIR (default: the English pack); what a failed get fetched is kept')
  .action((ids: string[]) =>
    withSettings(async (config) => (await import('./models.ts')).getModels(config, ids))(),
  );
models
  .command('verify [id...]')
  .description('hash every file of the installed models; a wrong one is not loaded until it is fetched again')
  .action((ids: string[]) =>
    withSettings(async (config) => (await import('./models.ts')).verifyModels(config, ids))(),
  );
models
  .command('remove <id...>')
  .description('delete models from MODELS_DIR')
  .action((ids: string[]) =>
    withSettings(async (config) => (await import('./models.ts')).removeModels(config, ids))(),
  );

program
  .command('vendors')
  .description('run stand-ins for speech vendors, to build agents without keys')
  .option('--port <port>', 'the first port; each vendor takes the next one', portNumber, 9300)
  .action(async ({ port }: { port: number }) => {
    const { runVendors } = await import('./vendors.ts');
    process.exitCode = await runVendors(port);
  });

program
  .command('carriers')
  .description('call a trunk of a carrier over WebSockets as the carrier does, without an account')
  .requiredOption('--webhook <url>', 'the voice webhook of the trunk, under PUBLIC_URL')
  .requiredOption('--to <number>', 'the called number')
  .option('--kind <kind>', 'kind of the trunk', 'twilio')
  .option('--account <id>', 'username of the trunk, if you made one up')
  .option('--auth-token <token>', 'password of the trunk, if you made one up')
  .option('--from <number>', 'the number of the caller', '+14155550188')
  .option('--service <url>', 'where the service listens, if not at the address of the webhook')
  .option('--port <port>', 'where the API of the carrier listens meanwhile; telnyx needs it', portNumber)
  .option('--keys <keys>', 'keys that the caller presses after the greeting', '')
  .option('--seconds <seconds>', 'the caller hangs up after so long', seconds, 20)
  .action(async (options: CarrierCallOptions) => {
    const { runCarrierCall } = await import('./carriers.ts');
    process.exitCode = await runCarrierCall(options);
  });

program
  .command('carrier-api')
  .description('run a stand-in for the API of a carrier, which places calls to phones, without an account')
  .option('--kind <kind>', 'kind of the trunk', 'twilio')
  .option('--account <id>', 'username of the trunk, if you made one up')
  .option('--auth-token <token>', 'password of the trunk, if you made one up')
  .option('--port <port>', 'its port; the uri of the trunk is http://127.0.0.1:PORT', portNumber, 9400)
  .option('--service <url>', 'where the service listens, if not at PUBLIC_URL')
  .option('--webhook <url>', 'the voice webhook of the trunk; smartflo and acefone need it')
  .option('--numbers <list>', 'numbers of the account for the import, such as +14155550100,+14155550101')
  .option('--callee <what>', 'what the phones do: answers, rings, busy, fails or invalid', 'answers')
  .action(async (options: CarrierApiOptions) => {
    const { runCarrierApi } = await import('./carriers.ts');
    process.exitCode = await runCarrierApi(options);
  });

// The reader of a pipe, such as `head`, may have enough before a command has written everything. The service goes on without it.
program.hook('preAction', (_, command) => {
  if (command.name() === 'start') return;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
});
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (isOfSystem(error)) {
    console.error(error.message);
    process.exitCode = 1;
  } else throw error;
}

/** A file or folder that cannot be read or written: the message names it, and a stack says no more. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
