import { isListedOrigin } from '../../store/calls/web-calls.ts';
import type { Db } from '../../store/database.ts';

/** Whether pages of the origin may begin calls with some agent: those of the service itself may with any. */
export const isListed = (
  deps: { readonly db: Db; readonly link: { readonly publicUrl: string } },
  origin: string,
): Promise<boolean> =>
  origin === new URL(deps.link.publicUrl).origin ? Promise.resolve(true) : isListedOrigin(deps.db, origin);
