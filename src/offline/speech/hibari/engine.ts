import { NaturalEngine, type NaturalOptions } from '../natural-engine.ts';
import { HIBARI_VOICES, hibariFiles, netOf, type FindModel } from './files.ts';

/** The voices of hibari. `find`: an entry of the catalogue; null: it is not installed. */
export const hibariEngine = ({
  find,
  ...options
}: Omit<NaturalOptions, 'kind'> & { readonly find: FindModel }): NaturalEngine =>
  new NaturalEngine({
    ...options,
    kind: {
      thread: new URL('./hibari.thread.ts', import.meta.url),
      look: () => ({
        files: hibariFiles(find),
        nets: new Map(
          HIBARI_VOICES.flatMap((voice) => {
            const net = netOf(find, voice);
            return net === null ? [] : [[voice, net] as const];
          }),
        ),
      }),
    },
  });
