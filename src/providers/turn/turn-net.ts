import { nativeOnnx, openOnnx } from '../../shared/onnx.ts';
import { MEL_BANDS, MEL_FRAMES, melFeatures } from './mel.ts';

const INPUT = 'input_features';

/** The file of smart-turn, and the native runtime. */
export interface TurnNetFiles {
  readonly path: string;
  readonly module: string;
}

export interface TurnNet {
  /** The probability that the turn is over. `pcm`: at `MEL_RATE`. */
  judge(pcm: Int16Array): Promise<number>;
  release(): Promise<void>;
}

/** Opens the model and tries it on silence. Throws an error that says why it cannot be used. */
export async function openTurnNet({ path, module }: TurnNetFiles): Promise<TurnNet> {
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
