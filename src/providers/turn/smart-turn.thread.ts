import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { link } from '../../shared/threads/remote.ts';
import { createResampler, resample } from '@callwright/audio';
import { MEL_RATE } from './mel.ts';
import { openTurnNet } from './turn-net.ts';
import type { TurnThreadApi, TurnThreadData, TurnThreadEvents } from './smart-turn.ts';

/** Judges outside the call worker's thread: a model takes tens of milliseconds. */
async function serve(port: NonNullable<typeof parentPort>, data: TurnThreadData): Promise<void> {
  const ends = link<TurnThreadEvents, never, TurnThreadApi>(port);
  const { send } = ends.remote;
  const calls = new NativeCalls(data.stop);
  const model = await calls.runAsync(() =>
    openTurnNet(data).catch((error: unknown) => {
      send.unusable(error instanceof Error ? error.message : String(error));
      return undefined;
    }),
  );
  if (model === undefined) return;
  send.ready();
  /** One judgement runs at a time. */
  let last: Promise<unknown> = Promise.resolve();
  ends.serve({
    api: {
      judge: (pcm, rate) => {
        const judged = last.then(async () => {
          const wide = rate === MEL_RATE ? pcm : resample(createResampler(rate, MEL_RATE), pcm, true);
          const probability = await calls.runAsync(() => model.judge(wide));
          if (probability === undefined) throw new Error('the turn model has to end');
          return probability;
        });
        last = judged.catch(() => undefined);
        return judged;
      },
      stop: () => {
        last = last.then(() => calls.release(() => model.release())).finally(() => port.close());
      },
    },
  });
}

if (parentPort !== null) void serve(parentPort, workerData as TurnThreadData);
