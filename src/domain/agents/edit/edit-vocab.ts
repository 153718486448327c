import { errors } from '../../../errors.ts';
import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditVocab {
  vocab: string[];
}
const MAX_WORDS = 100;

/** Replaces the words the recogniser listens for; entries may be phrases, counted by their words. */
export function editVocab({ config }: EditContext, input: EditVocab): EditChange {
  const words = input.vocab.reduce((sum, entry) => sum + entry.trim().split(/\s+/).length, 0);
  if (words > MAX_WORDS) {
    throw errors.invalid('vocab', `must hold at most ${MAX_WORDS} words in total (${words} were sent)`);
  }
  return withAgentConfig(config, { vocab: input.vocab });
}
