import { useState } from 'react';

/**
 * Marks the start of a piece of work, such as the read of a chosen file, and returns whether none has begun since: a slow
 * one that ends late must not replace the result of a newer one.
 */
export function useNewest(): () => () => boolean {
  const [begin] = useState(() => {
    let newest = 0;
    return () => {
      newest += 1;
      const own = newest;
      return () => own === newest;
    };
  });
  return begin;
}
