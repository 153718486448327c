/** The argument of `lookup_knowledge` by which a step of a flow narrows the search: ids of knowledge bases. */
export const BASES_ARGUMENT = 'knowledge_bases';

/** The knowledge bases that a search names; null: all of the agent. */
export const namedBases = (args: Readonly<Record<string, unknown>>): readonly string[] | null => {
  const bases = args[BASES_ARGUMENT];
  return Array.isArray(bases) ? bases.map(String) : null;
};
