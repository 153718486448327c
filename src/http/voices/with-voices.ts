import type { ServerDeps } from '../server/server-deps.ts';

/** The dependencies with the vendors' voices that the workspace has chosen and those of `ids`, which it chooses now. */
export async function withVoices<D extends Pick<ServerDeps, 'voices' | 'vendorVoices'>>(
  deps: D,
  workspaceId: string,
  ids: readonly string[],
): Promise<D> {
  const voices = await deps.vendorVoices?.named(workspaceId, ids);
  return voices === undefined ? deps : { ...deps, voices };
}
