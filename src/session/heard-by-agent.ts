import {
  addUses,
  NO_USE,
  sameName,
  type AgentName,
  type AudioUse,
  type VendorUse,
} from '../voice/measures.ts';

/** What the recognisers of a call had heard, from its beginning, when an agent (null: the first one) left it. */
export interface Ears {
  readonly agent: AgentName | null;
  readonly heard: readonly AudioUse[];
}

/** What was heard while each agent had the call: the last entry is the agent that has it now. */
export const heardByAgent = (ears: readonly Ears[]): VendorUse[] =>
  ears.flatMap(({ agent, heard }, at) => {
    const before = summed(ears[at - 1]?.heard ?? []);
    return summed(heard).flatMap(({ audioMs, ...name }) => {
      const own = audioMs - (before.find((use) => sameName(use, name))?.audioMs ?? 0);
      if (own <= 0 && ears.length > 1) return [];
      const by = agent === null ? {} : { agent };
      return [
        { part: 'stt' as const, vendor: name.vendor, model: name.model, ...by, ...NO_USE, audioMs: own },
      ];
    });
  });

const summed = (heard: readonly AudioUse[]): readonly AudioUse[] =>
  heard.reduce<readonly AudioUse[]>((sums, use) => addUses(sums, [use]), []);
