/** The source whose chunks are shown, and the position of one of them, as they stand in the address. */
export interface ViewerSearch {
  source?: string;
  chunk?: number;
}

export const PAGE_SIZE = 20;

/** Reads an address; what names no source or chunk is left out. */
export function viewerSearch({ source, chunk }: Record<string, unknown>): ViewerSearch {
  if (typeof source !== 'string' || source === '') return {};
  const isPosition = Number.isInteger(chunk) && Number(chunk) >= 0 && Number(chunk) < 1_000_000;
  return { source, ...(isPosition ? { chunk: Number(chunk) } : {}) };
}

/** The page, from 1, that has the chunk. */
export const pageOf = (position: number): number => Math.floor(position / PAGE_SIZE) + 1;
