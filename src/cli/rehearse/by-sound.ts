import type { RehearsedResult, RunToPlay } from '../../rehearsal/run.ts';
import { rehearseBySound } from '../../rehearsal/sound/sound-run.ts';
import { Studio } from '../../rehearsal/sound/studio.ts';
import { seatsOfMachine } from '../../app/sound-rehearsal.ts';
import { loadConfig } from '../../config.ts';
import { Refused } from '../../http/agents/document/document.ts';
import type { RehearseOptions } from './run.ts';

/** Plays calls of a run by sound. Ctrl-C lets the calls under way end, and begins no other. */
export async function playBySound(
  run: RunToPlay,
  calls: readonly number[],
  { recogniser, atOnce }: Pick<RehearseOptions, 'recogniser' | 'atOnce'>,
): Promise<RehearsedResult[]> {
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once('SIGINT', interrupted);
  const modelsDir = recogniser === 'words' ? modelsOf(process.env) : null;
  // More callers than the recogniser can hear would be heard late.
  const fit = modelsDir === null ? atOnce : await seatsOfMachine(recogniser, modelsDir);
  const studio = await Studio.open({ recogniser, modelsDir });
  let ended = 0;
  const onPlayed = (): void => {
    ended += 1;
    process.stderr.write(`\r${ended} of ${calls.length} calls`);
  };
  try {
    return await rehearseBySound(
      { ...run, calls, atOnce, seats: () => fit, signal: stop.signal, onPlayed },
      studio,
    );
  } finally {
    if (ended > 0) process.stderr.write('\n');
    process.off('SIGINT', interrupted);
    await studio.close();
  }
}

/** MODELS_DIR. Throws Refused for settings that are wrong. */
function modelsOf(env: NodeJS.ProcessEnv): string {
  const loaded = loadConfig(env);
  if (!loaded.ok) throw new Refused(loaded.problems);
  return loaded.config.modelsDir;
}
