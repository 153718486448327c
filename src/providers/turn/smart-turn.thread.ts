import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { nativeOnnx, openOnnx } from '../../shared/onnx.ts';
import { link } from '../../shared/threads/remote.ts';
import { createResampler, resample } from '@callwright/audio';
import { MEL_BANDS, MEL_FRAMES, MEL_RATE, melFeatures } from './mel.ts';
import type { TurnThreadApi, TurnThreadData, TurnThreadEvents } from './smart-turn.ts';

const INPUT = 'input_features';

interface Model {
  judge(pcm: Int16Array): Promise<number>;
  release(): Promise<void>;
}

/** Opens the model and tries it on silence. Throws an error that says why it cannot be used. */
async function load({ path, module }: TurnThreadData): Promise<Model> {
  const runtime = nativeOnnx(module);
  const session = await openOnnx(runtime, path, 'cpu').catch((error: unknown) => {
    const cause = error instanceof Error ? error.message.split('\n')[0] : '';
    throw new Error(`TURN_MODEL cannot be opened: ${cause ?? ''}`, { cause: error });
  });
  const [output = ''] = session.outputNames;
  if (!session.inputNames.includes(INPUT)) throw new Error(`TURN_MODEL has no input ${INPUT}`);
  const judge = async (pcm: Int16Array): Promise<number> => {
    const features = new runtime.Tensor('float32', melFeatures(pcm), [1, MEL_BANDS, MEL_FRAMES]);
    const { data } = (await session.run({ [INPUT]: features }))[output] ?? { data: [] };
    const [probability] = Array.from(data);
    if (data.length !== 1 || probability === undefined || !(probability >= 0 && probability <= 1)) {
      throw new Error('TURN_MODEL does not answer with one probability');
    }
    return probability;
  };
  await judge(new Int16Array(0));
  return { judge, release: () => session.release() };
}

/** Judges outside the call worker's thread: a model takes tens of milliseconds. */
async function serve(port: NonNullable<typeof parentPort>, data: TurnThreadData): Promise<void> {
  const ends = link<TurnThreadEvents, never, TurnThreadApi>(port);
  const { send } = ends.remote;
  const calls = new NativeCalls(data.stop);
  const model = await calls.runAsync(() =>
    load(data).catch((error: unknown) => {
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
