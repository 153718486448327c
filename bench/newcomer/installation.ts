import { join } from 'node:path';
import { obstacle, type Step } from './hour.ts';
import { run, type Program } from './program.ts';

/** What a developer does to the installation itself. `call` reads a call that ended before. */
export const installationSteps = (program: Program, call: () => Promise<any>): Step[] => [
  {
    name: 'a second start in the same folder that harms nothing',
    reviewMinutes: 24,
    run: async () => {
      const second = run(join(program.folder, 'bin/callwright'), ['start'], program.folder, {
        DATA_DIR: program.dataDir,
        PORT: '0',
        SIP_PORT: '0',
      });
      const limit = new Promise<'runs'>((resolve) => setTimeout(resolve, 30_000, 'runs'));
      const outcome = await Promise.race([second, limit]);
      const isAlive = await fetch(`${program.url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
      return [
        ...obstacle(
          outcome !== 'runs' && outcome.output.includes(String(program.pid)),
          'the second start does not name the process that has the folder',
        ),
        ...obstacle(isAlive, 'the second start ends the first service'),
      ];
    },
  },
  {
    name: 'a backup that starts elsewhere',
    reviewMinutes: 28,
    run: async () => {
      const folder = join(program.root, 'backup');
      const other = join(program.root, 'restored');
      const made = await program.command(['backup', folder]);
      if (made.code !== 0) throw new Error(`backup: ${made.output.slice(-160)}`);
      await program.stop();
      const list = join(program.dataDir, 'tombstones.jsonl');
      const restored = await program.command(['restore', folder, '--tombstones', list], { DATA_DIR: other });
      if (restored.code !== 0) throw new Error(`restore: ${restored.output.slice(-160)}`);
      await program.start({}, other);
      const kept = await call();
      return obstacle(kept?.call_status === 'completed', 'the restored service does not have the call');
    },
  },
];
